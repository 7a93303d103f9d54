import FFmpeg
import ImageFiles
import Imaging
import Platform
import TestSupport
import Testing

/// Stills of pictures and of clips.
@Suite(.temporaryDirectory) struct StillTests {
  private let photo = Checkout.sample("photo.jpg")

  @Test func `a photo that its tag turns comes out upright`() async throws {
    // Stored 1600x1200; the sky is at the stored picture's left.
    let output = try await make(#"{"stills": {"cap": null, "formats": ["png"]}}"#, of: photo)
    let still = try output.picture("stills/0001.png").image
    #expect(still.size == PixelSize(width: 1200, height: 1600))
    let stored = try Pixels.read(photo)
    #expect(stored.size == PixelSize(width: 1600, height: 1200))
    // Orientation 6: the stored bottom left is the upright top left.
    for (x, y) in [(0, 0), (1199, 0), (0, 1599), (600, 800), (77, 1234)] {
      let pixel = stored[y, 1199 - x]
      let difference = (0..<3).map { abs(Int(still[x, y][$0]) - Int(pixel[$0])) }.max() ?? 0
      #expect(difference <= 2, "at \(x), \(y)")
    }
  }

  @Test func `no tag is left that would turn it again`() async throws {
    let output = try await make(#"{"stills": {}}"#, of: photo)
    let still = output.path("stills/0001.jpg")
    #expect(try Pixels.frame(of: still).displayTransform == .identity)
    let bytes = try Files.read(still)
    #expect(!bytes.indices.contains { bytes[$0...].starts(with: "Exif".utf8) })
  }

  @Test(arguments: [
    ("1024x1536", 1024, 1365), ("600x600", 450, 600), ("4000x4000", 1200, 1600),
    ("400x300", 300, 400), ("1x1", 1, 1),
  ])
  func `no still is larger than the cap, turned or not, or than its source`(
    cap: String, width: Int, height: Int
  ) async throws {
    let output = try await make(#"{"stills": {"cap": "\#(cap)"}}"#, of: photo)
    let still = try #require(output.manifest.stills?.first)
    #expect((still.width, still.height) == (width, height))
    let frame = try Pixels.frame(of: output.path("stills/0001.jpg"))
    #expect((frame.width, frame.height) == (width, height))
  }

  @Test func `a picture is one still, whatever the moments`() async throws {
    let output = try await make(
      #"{"stills": {"at": ["every 1s", "50%", 7], "cap": "64x64"}}"#, of: photo)
    #expect(output.manifest.stills?.count == 1)
    #expect(output.manifest.warnings == [])
  }

  @Test func `moments beyond the end take the last frame, with a note`() async throws {
    try TestClip.write(path("clip.mkv"), milliseconds: [0, 100, 200])
    let output = try await make(
      #"{"stills": {"at": ["100%", 9], "formats": ["png"]}}"#, of: path("clip.mkv"))
    #expect(output.manifest.stills?.map(\.time) == [0.2, 0.2])
    #expect(output.manifest.warnings.count == 1)
    #expect(
      output.manifest.warnings.first?.hasPrefix("still 2 at 0:09.000: the clip ends") == true)
    #expect(!output.manifest.partial)
  }

  @Test func `each moment shows the frame that a player shows then`() async throws {
    let milliseconds = Array(stride(from: 0, to: 2000, by: 40))
    try TestClip.write(path("clip.mkv"), milliseconds: milliseconds)
    let output = try await make(
      #"{"stills": {"at": [1.5, 0.04, 0.079], "formats": ["png"]}}"#, of: path("clip.mkv"))
    #expect(output.manifest.stills?.map(\.time) == [1.48, 0.04, 0.04])
    for (number, frame) in [(1, 37), (2, 1), (3, 1)] {
      let still = try output.picture("stills/000\(number).png").image
      let expected = (Int(TestClip.luma(frame)) - 16) * 255 / 219
      #expect(still.pixels.allSatisfy { abs(Int($0.x) - expected) <= 1 })
    }
  }

  @Test(arguments: [
    (Rational(2, 1), 128, 48), (Rational(1, 2), 32, 48), (Rational(1, 1), 64, 48),
  ])
  func `a still has square pixels at the shown aspect`(
    ratio: Rational, width: Int, height: Int
  ) async throws {
    try TestClip.write(path("clip.mkv"), milliseconds: [0], sampleAspectRatio: ratio)
    let output = try await make(#"{"stills": {"formats": ["png"]}}"#, of: path("clip.mkv"))
    #expect(
      try output.picture("stills/0001.png").size == PixelSize(width: width, height: height))
  }

  @Test func `without filters the colours are the picture's own`() async throws {
    let output = try await make(#"{"stills": {"cap": null, "formats": ["png"]}}"#, of: photo)
    let filtered = try await make(
      #"{"stills": {"cap": null, "formats": ["png"], "filters": [{"sepia": {"intensity": 1}}]}}"#,
      of: photo, as: "sepia")
    let plain = Pixels.mean(try output.picture("stills/0001.png").image, column: 0, row: 0)
    let stored = Pixels.mean(try Pixels.read(photo), column: 0, row: 3)
    let sepia = Pixels.mean(try filtered.picture("stills/0001.png").image, column: 0, row: 0)
    #expect((0..<3).allSatisfy { abs(plain[$0] - stored[$0]) <= 1 })
    #expect(plain != sepia)
  }
}
