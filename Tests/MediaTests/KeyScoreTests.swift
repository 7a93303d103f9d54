import Imaging
import TestSupport
import Testing

@testable import Media

/// What the score says of clips that are keyed well in some frames alone, or not at all.
@Suite(.temporaryDirectory) struct KeyScoreTests {
  /// The score of frames of 10,000 pixels, so many of which are transparent and the others opaque.
  private func score(_ transparent: [Int]) -> KeyScore {
    var score = KeyScore()
    for (index, count) in transparent.enumerated() {
      var tally = MatteTally()
      tally.transparent = count
      tally.opaque = 10_000 - count
      score.add(tally, frame: index + 1)
    }
    return score
  }

  @Test(arguments: [
    [8000, 8000, 0, 9], [0, 1001],
  ])
  func `a frame kept whole where others are not is a fault`(transparent: [Int]) {
    let score = score(transparent)
    #expect(score.summary.verdict == .warn)
    #expect(score.fault != nil)
  }

  @Test(arguments: [
    [8000, 10, 8000], [10_000, 8000, 10_000], [0, 1000], [50, 0, 0, 50], [3000, 3000],
  ])
  func `a subject that fills most of a frame or has left it is none`(transparent: [Int]) {
    let score = score(transparent)
    #expect(score.summary.verdict == .pass)
    #expect(score.fault == nil)
  }

  @Test func `the first frame kept is named, in whatever order they end`() {
    var score = KeyScore()
    for number in [4, 3, 1, 2] {
      var tally = MatteTally()
      (tally.transparent, tally.opaque) = number < 3 ? (84, 16) : (0, 100)
      score.add(tally, frame: number)
    }
    #expect(
      score.fault
        == "nothing was made transparent in 2 frames, the first of them 3, and up to 84 % in "
        + "others: does the screen change or go dark there?")
  }

  @Test func `a clip of which nothing is left is a fault`() {
    let score = score([10_000, 10_000])
    #expect(score.summary.verdict == .warn)
    #expect(score.fault == "the frames are transparent all over: nothing of the clip was kept")
  }

  @Test(
    .enabled(if: FFmpegTool.isInstalled, FFmpegTool.absent),
    arguments: [
      "color=magenta:s=160x120:d=1:r=10,drawbox=50:30:50:60:white:fill,fade=out:0:10",
      "color=magenta:s=160x120:d=0.3:r=10[a];color=lime:s=160x120:d=0.3:r=10[b];"
        + "[a][b]concat,drawbox=50:30:50:60:white:fill",
    ])
  func `a clip whose screen fades or changes is told`(filters: String) async throws {
    try FFmpegTool.run("-f lavfi -i \(filters) -pix_fmt yuv420p -c:v ffv1 \(path("clip.mkv"))")
    let output = try await make(#"{"key": {"color": "auto"}}"#, of: path("clip.mkv"))
    #expect(output.manifest.key?.score?.verdict == "warn")
    let lines = output.manifest.warnings.filter {
      $0.hasPrefix("the matte: nothing was made transparent in ")
    }
    #expect(lines.count == 1)
    #expect(!output.manifest.partial)
  }

  @Test func `a clip choked away is told`() async throws {
    let recipe = #"{"key": {"color": "magenta", "choke": 100, "to": 0.05}}"#
    let output = try await make(recipe, of: Checkout.sample("sprite-magenta.mp4"))
    #expect(output.manifest.key?.score?.verdict == "warn")
    #expect(output.manifest.warnings.contains { $0.hasPrefix("the matte: the frames are transp") })
  }
}
