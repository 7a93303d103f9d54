import FFmpeg
import TestSupport
import Testing

@testable import Media

@Suite(.temporaryDirectory, .enabled(if: FFmpegTool.isInstalled, FFmpegTool.absent))
struct FrameNormalizerTests {
  private let warnings = Warnings()

  private func normalize(_ given: [Frame]) throws -> [Frame] {
    let normalizer = FrameNormalizer(threads: 1, warnings: warnings)
    var shown: [Frame] = []
    for frame in given { try normalizer.normalize(frame) { shown.append($0) } }
    try normalizer.finish { shown.append($0) }
    return shown
  }

  private func clip(
    size: String = "64x48", filters: String = "null", options: String = ""
  ) throws -> [Frame] {
    try FFmpegTool.run(
      "-y -f lavfi -i testsrc2=s=\(size):r=25:d=0.2,format=yuv420p,\(filters) "
        + "-c:v mpeg2video -bf 0 \(options) \(path("clip.mov"))")
    return try frames(of: path("clip.mov"))
  }

  private func interlacedClip(size: String = "64x48") throws -> [Frame] {
    try clip(size: size, filters: "setfield=tff", options: "-flags +ildct+ilme")
  }

  @Test func `progressive SDR frames are passed as they are, at once`() throws {
    let given = try clip()
    let normalizer = FrameNormalizer(threads: 1, warnings: warnings)
    for frame in given {
      var shown: [Frame] = []
      try normalizer.normalize(frame) { shown.append($0) }
      #expect(shown.count == 1 && shown.first === frame)
    }
    #expect(warnings.lines.isEmpty)
  }

  @Test func `each interlaced frame gives a progressive one of its time and duration`() throws {
    let given = try interlacedClip()
    let shown = try normalize(given)
    #expect(given.count == 5 && given.allSatisfy(\.isInterlaced))
    #expect(shown.allSatisfy { !$0.isInterlaced })
    #expect(shown.map(\.pts) == given.map(\.pts))
    #expect(shown.map(\.duration) == given.map(\.duration))
    #expect(shown.map(\.timeBase) == given.map(\.timeBase))
    #expect(warnings.lines == ["interlaced input: deinterlaced"])
    #expect(!warnings.isPartial)
  }

  @Test func `one frame alone is deinterlaced`() throws {
    let shown = try normalize(Array(try interlacedClip().prefix(1)))
    #expect(shown.map(\.isInterlaced) == [false])
  }

  @Test func `a clip that changes its size, or becomes interlaced, keeps every frame in order`()
    throws
  {
    let parts = [try clip(), try interlacedClip(), try interlacedClip(size: "96x64"), try clip()]
    let given = parts.flatMap(\.self)
    let shown = try normalize(given)
    #expect(shown.map(\.width) == given.map(\.width))
    #expect(shown.map(\.pts) == given.map(\.pts))
    #expect(shown.allSatisfy { !$0.isInterlaced })
    #expect(shown.first === given.first)
    #expect(warnings.lines == ["interlaced input: deinterlaced"])
  }

  @Test func `a turned clip stays turned`() throws {
    _ = try interlacedClip()
    try FFmpegTool.run(
      "-i \(path("clip.mov")) -c copy -metadata:s:v:0 rotate=90 \(path("turned.mov"))")
    let given = try frames(of: path("turned.mov"))
    #expect(given.first?.displayTransform == DisplayTransform(quarterTurns: 3))
    #expect(try normalize(given).map(\.displayTransform) == given.map(\.displayTransform))
  }

  @Test func `frames too small to deinterlace pass with a warning`() throws {
    let given = try interlacedClip(size: "16x2")
    #expect(Set(given.map(\.isInterlaced)) == [true])
    let shown = try normalize(given)
    #expect(zip(shown, given).allSatisfy { $0 === $1 } && shown.count == given.count)
    #expect(warnings.lines.count == 1)
    #expect(warnings.lines.first?.hasPrefix("interlaced input: not deinterlaced: ") == true)
  }

  @Test func `a picture whose file lists its pixels interlaced has no fields`() throws {
    let frame = try Pixels.frame(of: try interlacedPicture())
    #expect(!frame.isInterlaced)
  }

  /// A PNG in Adam7's order.
  private func interlacedPicture() throws -> String {
    try FFmpegTool.run(
      "-f lavfi -i testsrc2=s=64x48:d=0.04 -flags +ildct -frames:v 1 -update 1 \(path("adam7.png"))"
    )
    return path("adam7.png")
  }
}
