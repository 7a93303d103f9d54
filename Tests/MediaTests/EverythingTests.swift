import Digests
import FFmpeg
import Foundation
import ImageFiles
import Imaging
import Platform
import TestSupport
import Testing

/// `jobs/everything.json` on the sample clip: 3 s of 640x480 at 30 fps, with sound.
@Suite(.output(of: "everything", for: "sprite-magenta.mp4")) struct EverythingTests {
  private static let numbers = 1...90

  private func name(_ folder: String, _ number: Int) -> String {
    folder + "/" + String(1_000_000 + number).dropFirst() + ".png"
  }

  // MARK: The output as a whole

  @Test func `a clean input is made in whole, without a warning`() throws {
    let manifest = try suiteOutput().manifest
    #expect(!manifest.partial)
    #expect(manifest.warnings == [])
  }

  @Test func `the manifest lists exactly the files that lie there`() throws {
    let output = try suiteOutput()
    var found: Set<String> = []
    let walk = FileManager.default.enumerator(atPath: output.directory)
    while let path = walk?.nextObject() as? String {
      if try FileStatus(output.path(path)).kind == .file { found.insert(path) }
    }
    #expect(found.remove("manifest.json") != nil)
    #expect(Set(output.manifest.files.map(\.path)) == found)
    #expect(output.manifest.files.count == found.count)
  }

  @Test func `every file has the size and the digest that the manifest tells`() throws {
    let output = try suiteOutput()
    for file in output.manifest.files {
      #expect(try FileStatus(output.path(file.path)).size == Int64(file.bytes))
      #expect(try SHA256Digest(ofFileAt: output.path(file.path)).hex == file.sha256)
    }
    #expect(output.result.files == output.manifest.files.count)
    #expect(output.result.bytes == output.manifest.files.reduce(0) { $0 + $1.bytes })
  }

  @Test func `files stand in the manifest as they are numbered, whichever thread made them`()
    throws
  {
    let output = try suiteOutput()
    let frames = Self.numbers.flatMap { [name("frames", $0), name("mask", $0)] }
    let stills = (1...4).flatMap { ["stills/000\($0).jpg", "stills/000\($0).png"] }
    #expect(
      output.manifest.files.map(\.path)
        == frames + ["audio/clip.m4a", "audio/clip.wav"] + stills)
  }

  // MARK: Frames

  @Test func `there is one frame and one matte for each shown frame`() throws {
    let output = try suiteOutput()
    #expect(output.files(in: "frames").map(\.path) == Self.numbers.map { name("frames", $0) })
    #expect(output.files(in: "mask").map(\.path) == Self.numbers.map { name("mask", $0) })
    #expect(output.manifest.key?.frames == 90)
  }

  @Test func `frames carry the times at which they are shown`() throws {
    let times = try suiteOutput().files(in: "frames").map { $0.time ?? .nan }
    for (number, time) in times.enumerated() { #expect(abs(time - Double(number) / 30) < 1e-6) }
  }

  @Test func `frames and mattes are PNG of the clip's size`() throws {
    let output = try suiteOutput()
    let size = PixelSize(width: 640, height: 480)
    for number in Self.numbers {
      let frame = try PNGCheck.check(path: output.path(name("frames", number)))
      #expect((frame.size, frame.color) == (size, .rgba))
      let matte = try PNGCheck.check(path: output.path(name("mask", number)))
      #expect((matte.size, matte.color) == (size, .gray))
    }
    #expect(output.manifest.key?.width == 640)
    #expect(output.manifest.key?.height == 480)
  }

  @Test(arguments: [1, 45, 90])
  func `a matte is the alpha of its frame`(number: Int) throws {
    let output = try suiteOutput()
    let frame = try output.picture(name("frames", number)).image
    #expect(try output.picture(name("mask", number)).samples == frame.pixels.map(\.w))
  }

  @Test(arguments: [1, 45, 90])
  func `colour is zero where alpha is`(number: Int) throws {
    let frame = try suiteOutput().picture(name("frames", number)).image
    let empty = frame.pixels.filter { $0.w == 0 }
    #expect(empty.count > frame.pixels.count / 2)
    #expect(empty.allSatisfy { $0 == .zero })
  }

  @Test func `the screen is found by itself and named in the manifest`() throws {
    let screens = try #require(try suiteOutput().manifest.key?.screens)
    let color = try #require(screens.first.flatMap { RGBColor($0.color) })
    #expect(screens.count == 1)
    #expect(color.red > 0.98 && color.green < 0.02 && color.blue > 0.98)
  }

  /// Measured at the worst of the frames: 3.2, 28.0 and 1.8 levels.
  ///
  /// The edges hold a balloon and a
  /// shadow that are half-transparent: over one screen, a fainter alpha with a stronger colour
  /// looks the same, so that alpha is further from the truth than what is seen.
  @Test(arguments: [1, 30, 60])
  func `alpha is straight and near the truth, at the edges too`(number: Int) throws {
    let frame = try suiteOutput().picture(name("frames", number)).image
    let errors = try Truth(frame: number).errors(of: frame, over: [255, 0, 255, 255])
    #expect(errors.alpha < 4)
    #expect(errors.edgeAlpha < 32)
    #expect(errors.composite < 2.2)
  }

  // MARK: Sound

  @Test func `the copied track has the source's packets, bit for bit`() throws {
    let source = try Sound.packets(of: Checkout.sample("sprite-magenta.mp4"))
    #expect(source.count > 100)
    #expect(try Sound.packets(of: suiteOutput().path("audio/clip.m4a")) == source)
  }

  @Test func `the decoded track has every sample of its three seconds, and no padding`() throws {
    let output = try suiteOutput()
    let count = 3 * 44_100
    #expect(output.manifest.audio?.map(\.samples) == [nil, count])
    #expect(try Sound.sampleCount(of: output.path("audio/clip.wav")) == count)
  }

  @Test func `only the copied track is told as the input's own`() throws {
    let output = try suiteOutput()
    #expect(output.manifest.audio?.map(\.copy) == [true, false])
    #expect(output.manifest.audio?.map(\.codec) == ["aac", "pcm_s16le"])
    #expect(output.result.copiedTracks == ["audio/clip.m4a"])
  }

  // MARK: Stills

  @Test func `stills are the frames shown at their moments, in the order of the recipe`() throws {
    let stills = try #require(try suiteOutput().manifest.stills)
    #expect(stills.map(\.time) == [0.3, 0, 1, 2])
    #expect(stills.map(\.files).flatMap { $0 }.count == 8)
    for still in stills { #expect((still.width, still.height) == (640, 480)) }
  }

  @Test(arguments: 1...4)
  func `both files of a still show the same picture`(number: Int) throws {
    let output = try suiteOutput()
    let exact = try output.picture("stills/000\(number).png")
    #expect(exact.color == .rgb)
    let coded = try Pixels.read(output.path("stills/000\(number).jpg"))
    let difference = zip(exact.image.pixels, coded.pixels).reduce(0) { sum, pair in
      sum + (0..<3).reduce(0) { $0 + abs(Int(pair.0[$1]) - Int(pair.1[$1])) }
    }
    #expect(Double(difference) / Double(3 * coded.pixels.count) < 3)
  }
}
