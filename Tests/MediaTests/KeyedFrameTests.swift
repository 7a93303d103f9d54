import FFmpeg
import ImageFiles
import Imaging
import Platform
import TestSupport
import Testing

@testable import Media

/// What the fields of a `key` section do to the frames.
@Suite(.temporaryDirectory) struct KeyedFrameTests {
  private let clip = Checkout.sample("sprite-magenta.mp4")

  private func key(_ fields: String, of input: String? = nil) async throws -> MadeOutput {
    try await make(#"{"key": {"formats": ["mask"], \#(fields)}}"#, of: input ?? clip)
  }

  private func times(_ output: MadeOutput) -> [Double] {
    output.files(in: "mask").compactMap(\.time)
  }

  @Test func `a span gives the frames in it, numbered from one, with the clip's times`()
    async throws
  {
    let output = try await key(#""from": 0.5, "to": 0.6"#)
    #expect(output.files(in: "mask").map(\.path) == (1...3).map { "mask/00000\($0).png" })
    #expect(times(output) == [0.5, 0.533333, 0.566667])
  }

  @Test func `a rate gives frames at even times`() async throws {
    #expect(times(try await key(#""fps": 10, "from": 1, "to": 1.5"#)) == [1, 1.1, 1.2, 1.3, 1.4])
  }

  @Test func `a size is the size of the frames`() async throws {
    let output = try await key(#""size": "80x120", "to": 0.05"#)
    let facts = try PNGCheck.check(path: output.path("mask/000001.png"))
    #expect(facts.size == PixelSize(width: 80, height: 120))
    #expect(output.manifest.key?.width == 80)
  }

  @Test func `a span beyond the clip's end is told, not made empty`() async throws {
    let recipe = #"{"key": {"from": 100, "to": 101}}"#
    let error = try await failure(recipe, of: clip)
    #expect(error?.kind == "input")
    #expect(error?.message == "no frame lies between the recipe's from and to")
  }

  @Test func `uneven times make one frame a shown frame, each with its time`() async throws {
    let milliseconds = [0, 40, 41, 500, 510, 2000, 2007, 2400]
    try TestClip.write(path("uneven.mkv"), milliseconds: milliseconds)
    let output = try await key(#""color": "lime""#, of: path("uneven.mkv"))
    #expect(times(output) == milliseconds.map { Double($0) / 1000 })
  }

  @Test func `a clip that does not begin at zero has its first frame at zero`() async throws {
    try TestClip.write(path("late.mkv"), milliseconds: [5000, 5100, 5250])
    let output = try await key(#""color": "lime""#, of: path("late.mkv"))
    #expect(times(output) == [0, 0.1, 0.25])
  }

  @Test func `frames keep pixels that are not square, and the manifest tells`() async throws {
    try TestClip.write(path("wide.mkv"), milliseconds: [0], sampleAspectRatio: Rational(64, 45))
    let output = try await key(#""color": "lime""#, of: path("wide.mkv"))
    #expect(output.manifest.key?.pixelAspect == "64:45")
    #expect(output.manifest.key?.width == 64)
  }

  @Test(.enabled(if: FFmpegTool.isInstalled, FFmpegTool.absent), arguments: [true, false])
  func `a size that changes in the clip is told once, unless one is asked for`(isSized: Bool)
    async throws
  {
    var bytes: [UInt8] = []
    for size in ["64x48", "128x72"] {
      try FFmpegTool.run(
        "-f lavfi -i color=magenta:s=\(size):r=25:d=0.16,drawbox=20:10:20:20:white:fill "
          + "-c:v mpeg2video -q:v 1 -f mpegts \(path(size))")
      bytes += try Files.read(path(size))
    }
    let clip = try makeFile("joined.ts", bytes)
    let output = try await key(
      #""color": "magenta"\#(isSized ? #", "size": "64x48""# : "")"#, of: clip)
    let lines = output.manifest.warnings.filter { $0.hasPrefix("frames differ in size: ") }
    guard !isSized else { return #expect(lines == []) }
    let other = try #require(
      try output.files(in: "mask").first {
        try PNGCheck.check(path: output.path($0.path)).size == PixelSize(width: 128, height: 72)
      })
    let number = try #require(Int(other.path.filter(\.isNumber)))
    let time = Timecode.text(try #require(other.time))
    #expect(
      lines == [
        "frames differ in size: frame \(number) at \(time) is 128x72, and those before it 64x48; "
          + "give a size for all of them"
      ])
  }

  @Test func `a clip without the screen colour stays opaque`() async throws {
    try TestClip.write(path("grey.mkv"), milliseconds: [0])
    let output = try await make(#"{"key": {"color": "magenta"}}"#, of: path("grey.mkv"))
    let frame = try output.picture("frames/000001.png").image
    #expect(frame.isOpaque)
    let expected = Int(TestClip.luma(0)) - 16
    #expect(frame.pixels.allSatisfy { abs(Int($0.x) - expected * 255 / 219) <= 1 })
  }
}
