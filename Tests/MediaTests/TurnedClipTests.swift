import FFmpeg
import ImageFiles
import Imaging
import TestSupport
import Testing

@testable import Media

/// Clips that are stored lying and shown upright, as phones make them.
@Suite(.temporaryDirectory, .enabled(if: FFmpegTool.isInstalled, FFmpegTool.absent))
struct TurnedClipTests {
  /// A frame of known truth before magenta, as it is stored and with a note to turn it.
  private func write(format: String, degrees: Int) throws -> (stored: String, turned: String) {
    let colour = ColourDescription(
      matrix: .bt601, isFullRange: false, transfer: .bt709, primaries: .bt709)
    let picture = try Truth(frame: 30).picture(over: SIMD4(255, 0, 255, 255))
    try TestClip.write(path("clip.mkv"), picture: picture, format: format, colour: colour)
    for degrees in [0, degrees] {
      try FFmpegTool.run(
        "-i \(path("clip.mkv")) -c copy -bsf:v setts=duration=40 -use_editlist 0 "
          + "-metadata:s:v:0 rotate=\(degrees) \(path("\(degrees).mov"))")
    }
    return (path("0.mov"), path("\(degrees).mov"))
  }

  @Test(arguments: [(90, "yuv420p"), (180, "yuv422p"), (270, "yuv420p10le")])
  func `a turned clip is keyed as it is stored, and then turned`(
    degrees: Int, format: String
  ) async throws {
    let clip = try write(format: format, degrees: degrees)
    let orientation = try Orientation(Pixels.frame(of: clip.turned).displayTransform)
    try #require(orientation != .upright)
    let recipe = #"{"key": {"color": "auto", "formats": ["png", "mask"]}}"#
    let stored = try await make(recipe, of: clip.stored, as: "stored")
    let turned = try await make(recipe, of: clip.turned, as: "turned")
    for name in ["frames/000001.png", "mask/000001.png"] {
      let expected = try stored.picture(name).image.oriented(by: orientation)
      #expect(try turned.picture(name).image == expected)
    }
    let screens = [turned, stored].map { $0.manifest.key?.screens.map(\.color) }
    #expect(screens[0] == screens[1])
  }

  @Test func `a turned clip's matte alone is that of its frames`() async throws {
    let clip = try write(format: "yuv420p", degrees: 90).turned
    let frames = try await make(#"{"key": {"choke": 0.5}}"#, of: clip, as: "frames")
    let masks = try await make(
      #"{"key": {"choke": 0.5, "formats": ["mask"]}}"#, of: clip, as: "masks")
    let matte = try masks.picture("mask/000001.png").image
    let frame = try frames.picture("frames/000001.png").image
    #expect(matte.size == frame.size)
    #expect(matte.pixels.map(\.x) == frame.pixels.map(\.w))
  }

  @Test func `masks of a turned clip are given as it is shown`() async throws {
    let clip = try write(format: "yuv420p", degrees: 90).turned
    let output = try await make(
      #"{"key": {"holdOut": {"rectangle": [0, 0, 8, 4]}}}"#, of: clip)
    let frame = try output.picture("frames/000001.png").image
    #expect(frame[7, 3].w == 255 && frame[3, 7] == .zero)
  }
}
