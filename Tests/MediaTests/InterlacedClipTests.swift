import FFmpeg
import ImageFiles
import Imaging
import TestSupport
import Testing

@testable import Media

/// Clips whose frames hold two moments.
@Suite(.temporaryDirectory, .enabled(if: FFmpegTool.isInstalled, FFmpegTool.absent))
struct InterlacedClipTests {
  private let recipe = #"{"key": {"color": "magenta", "formats": ["mask"]}}"#

  /// A grey disc of 80 pixels that crosses a magenta screen by 6 pixels a field, at 50 moments a second.
  private func writeDisc(_ name: String, _ filters: String, _ encoder: String) throws {
    let disc = "lt(hypot(X-60-6*N\\,Y-80)\\,40)"
    // BT.601's codes of magenta.
    let codes = [("lum", 106), ("cb", 202), ("cr", 222)].map { plane, screen in
      "\(plane)=if(\(disc)\\,128\\,\(screen))"
    }
    try FFmpegTool.run(
      "-f lavfi -i nullsrc=s=320x160:r=50:d=0.48,format=yuv444p,geq=\(codes.joined(separator: ":")),"
        + "\(filters),format=yuv422p -c:v \(encoder) \(path(name))")
  }

  private let fields = "tinterlace=interleave_top"
  private let progressive = "mpeg2video -q:v 1 -qmin 1 -r 25"
  private let interlaced = "mpeg2video -q:v 1 -qmin 1 -flags +ildct+ilme -top 1"

  private func masks(_ output: MadeOutput) throws -> [[UInt8]] {
    try output.files(in: "mask").map { try output.picture($0.path).image.pixels.map(\.x) }
  }

  private func meanDifference(_ some: [[UInt8]], _ others: [[UInt8]]) -> Double {
    let pairs = zip(some.joined(), others.joined())
    let sum = pairs.reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(max(1, some.reduce(0) { $0 + $1.count }))
  }

  /// Measured: 0.33 levels, and 2.42 without deinterlacing.
  @Test func `a moving disc is keyed as if each frame were of one moment`() async throws {
    try writeDisc("progressive.mov", "framestep=2", progressive)
    try writeDisc("woven.mov", "\(fields),setfield=prog", progressive)
    try writeDisc("interlaced.mov", fields, interlaced)
    let truth = try await make(recipe, of: path("progressive.mov"), as: "truth")
    let woven = try await make(recipe, of: path("woven.mov"), as: "as-it-is")
    let made = try await make(recipe, of: path("interlaced.mov"), as: "deinterlaced")
    #expect(made.manifest.warnings.contains("interlaced input: deinterlaced"))
    #expect(!truth.manifest.warnings.contains("interlaced input: deinterlaced"))
    #expect(!made.manifest.partial)
    #expect(made.manifest.key?.frames == 12)
    #expect(
      made.files(in: "mask").map(\.time) == (0..<12).map { Double($0 * 4) / 100 })
    let (exact, combed, clean) = try (masks(truth), masks(woven), masks(made))
    let error = meanDifference(clean, exact)
    #expect(error < 1)
    #expect(error < 0.2 * meanDifference(combed, exact))
  }

  @Test func `stills show one moment`() async throws {
    try writeDisc("interlaced.mov", fields, interlaced)
    let output = try await make(
      #"{"stills": {"at": [0.2], "formats": ["png"]}}"#, of: path("interlaced.mov"))
    #expect(output.manifest.warnings == ["interlaced input: deinterlaced"])
    let picture = try output.picture("stills/0001.png").image
    // The disc's left edge stands where it stood in the line above, give or take its roundness.
    let edges = try (60..<100).map { row in
      try #require((0..<picture.width).first { picture[$0, row].y > 64 })
    }
    #expect(zip(edges, edges.dropFirst()).allSatisfy { abs($0 - $1) <= 2 })
  }
}
