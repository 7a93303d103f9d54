import FFmpeg
import Foundation
import ImageFiles
import Imaging
import Platform
import TestSupport
import Testing

/// What people who did this job elsewhere have reported as wrong, and what is right.
@Suite(.enabled(if: SharedFiles.areHere, SharedFiles.absence)) final class FieldReportTests {
  private let keymill: KeymillProcess

  init() throws { keymill = try KeymillProcess() }

  deinit { keymill.cleanUp() }

  /// The largest difference of colours, alpha aside.
  private func difference(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> Double {
    (0..<3).map { abs(a[$0] - b[$0]) }.max() ?? 0
  }

  /// A still of a file, made without loss.
  private func still(_ file: String, _ fields: String = #""cap": null"#) throws -> RGBAImage {
    let output = try keymill.make(
      recipe: #"{"stills": {"formats": ["png"], \#(fields)}}"#, of: file)
    return try PNGReader.read(path: output.path("stills/0001.png")).image
  }

  private func firstFrame(_ key: String, _ file: String) throws -> RGBAImage {
    let output = try keymill.make(recipe: #"{"key": {"to": 0.01, \#(key)}}"#, of: file)
    return try PNGReader.read(path: output.path("frames/000001.png")).image
  }

  // MARK: Keying

  @Test(arguments: ["gpuimage", "clean"])
  func `only the distance to the chosen key counts, not a green mask that is built in`(
    mode: String
  ) throws {
    let boxes: [SIMD4<UInt8>] = [
      [0, 255, 0, 255], [0, 128, 128, 255], [128, 128, 128, 255], [0, 177, 64, 255],
      [250, 220, 30, 255],
    ]
    var image = RGBAImage(
      size: PixelSize(width: 240, height: 60), filledWith: [255, 0, 255, 255])
    for (number, colour) in boxes.enumerated() {
      for y in 15..<45 { for x in 0..<30 { image[x + 10 + 46 * number, y] = colour } }
    }
    var encoder = try PNGEncoder()
    encoder.begin(size: image.size, color: .rgba)
    try encoder.write(rows: image.pixels.span)
    try encoder.finish()
    let bytes = (0..<encoder.bytes.count).map { encoder.bytes[$0] }
    try Data(bytes).write(to: URL(filePath: keymill.path("boxes.png")))
    let frame = try firstFrame(
      #""color": "magenta", "mode": "\#(mode)""#, keymill.path("boxes.png"))
    for (number, colour) in boxes.enumerated() {
      #expect(frame[25 + 46 * number, 30] == colour)
    }
    #expect(frame[2, 2] == .zero)
  }

  @Test func `an uneven screen is empty where it is screen`() throws {
    let frame = try firstFrame(
      ##""color": "#58905b""##, SharedFiles.media("greenscreen/unreal79-greenscreen.mp4"))
    // Nothing but screen is in the picture's upper right.
    for y in 0..<frame.height / 2 {
      for x in frame.width * 3 / 4..<frame.width where frame[x, y] != .zero {
        Issue.record("\(frame[x, y]) at \(x), \(y)")
        return
      }
    }
  }

  @Test func `PNG frames hold straight alpha: a soft edge has its colour, not a part of it`()
    throws
  {
    let clip = SharedFiles.media("synthetic/syn-green-853x479-yuv444p.mp4")
    // This mode changes no colour, so that the source's own is the one to find.
    let frame = try firstFrame(
      ##""color": "#00b140", "mode": "gpuimage", "threshold": 0.1, "smoothing": 0.3"##, clip)
    let source = try Pixels.read(clip)
    try #require(frame.size == source.size)
    let edge = zip(frame.pixels, source.pixels).filter { 32..<224 ~= $0.0.w }
    #expect(edge.count > 100)
    for (made, original) in edge {
      guard (0..<3).allSatisfy({ abs(Int(made[$0]) - Int(original[$0])) <= 2 }) else {
        Issue.record("\(made) is not \(original)")
        return
      }
    }
  }

  @Test(arguments: ["greenscreen/moviepy-transparent.webm", "synthetic/syn-prores4444-alpha.mov"])
  func `alpha that a source brings is kept`(name: String) throws {
    let frame = try firstFrame(
      #""color": "magenta", "mode": "gpuimage", "threshold": 0.05, "smoothing": 0.05"#,
      SharedFiles.media(name))
    let alphas = Set(frame.pixels.map(\.w))
    #expect(alphas.contains(0))
    #expect(alphas.contains { $0 > 240 })
    #expect(frame.pixels.allSatisfy { $0.w > 0 || $0 == .zero })
  }

  // MARK: Colour

  /// The middle of each quarter of a picture.
  private func quarters(_ image: RGBAImage) -> [SIMD4<Double>] {
    [(0.2, 0.2), (0.7, 0.2), (0.2, 0.7), (0.7, 0.7)].map { x, y in
      Pixels.mean(image, x: x...(x + 0.1), y: y...(y + 0.1))
    }
  }

  @Test(arguments: [
    "pc.gbrp.h264.mp4", "pc.yuv420p.h264.mp4", "tv.gbrp.av1.webm", "tv.yuv420p.h264.mp4",
    "tv.yuv420p10.vp9.webm",
  ])
  func `one picture in five tagged encodings has one set of colours`(encoding: String) throws {
    let reference = quarters(
      try still(SharedFiles.media("colour/quads-bt709.bt709.pc.gbrp.h264.mp4")))
    let made = quarters(try still(SharedFiles.media("colour/quads-bt709.bt709.\(encoding)")))
    for (a, b) in zip(made, reference) { #expect(difference(a, b) <= 2, "\(a), not \(b)") }
  }

  @Test func `keyed frames have the stills' colours`() throws {
    let clip = SharedFiles.media("colour/quads-bt709.bt709.tv.yuv420p.h264.mp4")
    let frame = try firstFrame(
      #""color": "magenta", "mode": "gpuimage", "threshold": 0.01, "smoothing": 0.01"#, clip)
    for (a, b) in zip(quarters(frame), quarters(try still(clip))) where a.w == 255 {
      #expect(difference(a, b) <= 2)
    }
  }

  @Test func `without filters a picture stays as it is`() throws {
    let picture = SharedFiles.media("colour/wpt-four-colors.png")
    let made = try still(picture)
    for (a, b) in zip(made.pixels, try Pixels.read(picture).pixels) {
      guard (0..<4).allSatisfy({ abs(Int(a[$0]) - Int(b[$0])) <= 1 }) else {
        Issue.record("\(a) is not \(b)")
        return
      }
    }
  }

  // MARK: Turning and aspect

  @Test(arguments: [
    ["Portrait_2", "Portrait_4", "Portrait_5", "Portrait_7"],
    [
      "Landscape_3", "Landscape_6", "Landscape_8",
    ],
  ])
  func `one photo in several orientations comes out upright in all`(names: [String]) throws {
    let stills = try names.map {
      try still(SharedFiles.media("photo/\($0).jpg"), #""cap": "90x90""#)
    }
    for other in stills.dropFirst() {
      try #require(other.size == stills[0].size)
      let sum = zip(stills[0].pixels, other.pixels).reduce(0) { sum, pair in
        sum + (0..<3).reduce(0) { $0 + abs(Int(pair.0[$1]) - Int(pair.1[$1])) }
      }
      #expect(Double(sum) / Double(3 * other.pixels.count) < 6)
    }
  }

  @Test(arguments: ["gpuimage", "clean"])
  func `a clip that is turned by half is turned back, in frames as in stills`(mode: String) throws {
    let clip = SharedFiles.media("synthetic/syn-rot180.mp4")
    let stored = try Pixels.read(clip)
    let made = try still(clip, #""at": [0], "cap": null"#)
    let keyed = try firstFrame(
      #""color": "magenta", "mode": "\#(mode)", "threshold": 0.01, "smoothing": 0.01"#, clip)
    try #require(made.size == stored.size && keyed.size == stored.size)
    for image in [made, keyed] {
      for (x, y) in [(0.0, 0.0), (0.7, 0.1), (0.3, 0.8), (0.9, 0.9)] {
        let here = Pixels.mean(image, x: x...(x + 0.1), y: y...(y + 0.1))
        let there = Pixels.mean(stored, x: (0.9 - x)...(1 - x), y: (0.9 - y)...(1 - y))
        #expect(difference(here, there) <= 3, "at \(x), \(y)")
      }
    }
  }

  @Test func `a clip that is turned and mirrored stands upright`() throws {
    let made = try still(
      SharedFiles.media("video/sample_rotate_and_reflect.mp4"), #""at": [0], "cap": null"#)
    #expect(made.size == PixelSize(width: 720, height: 1080))
  }

  @Test func `a rotation that is no number does not crash`() throws {
    let result = try keymill.run(
      recipe: #"{"key": {"formats": ["mask"], "to": 0.5}, "stills": {"at": [0]}}"#,
      on: SharedFiles.media("video/no_timescale.mp4"))
    #expect(!result.isSignal)
    #expect(result.exitCode == 0 || result.exitCode == 65)
  }

  @Test(arguments: [
    ("video/h264_white_frame_sar_16_9.mp4", 1138, 480, "16:9"),
    ("synthetic/syn-interlaced-tff-sar64-45.mp4", 1024, 576, "64:45"),
  ])
  func `a still of anamorphic video has square pixels, and frames say what theirs are`(
    name: String, width: Int, height: Int, ratio: String
  ) throws {
    let clip = SharedFiles.media(name)
    #expect(try still(clip).size == PixelSize(width: width, height: height))
    let output = try keymill.make(
      recipe: #"{"key": {"formats": ["mask"], "to": 0.01}}"#, of: clip)
    #expect(output.section("key")["pixelAspect"] as? String == ratio)
  }

  // MARK: Time

  @Test(arguments: [
    ("synthetic/syn-vfr.mp4", 54), ("greenscreen/arkit-effect003.mov", 250),
    ("greenscreen/arkit-effect007.mov", 78),
  ])
  func `there is one frame for each that is shown, with its time`(name: String, count: Int) throws {
    let output = try keymill.make(
      recipe: #"{"key": {"color": "lime", "formats": ["mask"], "size": "64x36"}}"#,
      of: SharedFiles.media(name))
    #expect(output.names(in: "mask").count == count)
    let times = output.list("files").compactMap { $0["time"] as? Double }
    #expect(times.count == count)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(times.first == 0)
  }

  // MARK: Inputs that are not what they seem

  @Test(arguments: [
    "derived-half-copied-zero-tail.mp4", "derived-half-copied-moov-first-zero-tail.mp4",
  ])
  func `a file that is half copied is refused or told as partial`(name: String) throws {
    let result = try keymill.run(
      recipe: #"{"key": {"formats": ["mask"], "size": "64x48"}}"#,
      on: SharedFiles.media("synthetic/\(name)"))
    if result.exitCode == 0 {
      #expect(result.errors.contains("from a damaged input"))
    } else {
      #expect(result.exitCode == 65)
      #expect(keymill.published() == [])
    }
  }

  @Test(arguments: ["audio/with-attached-pic.mp3", "synthetic/syn-id3v24-cover-3000x3000.mp3"])
  func `a cover is no video, and a track is taken without its help`(name: String) throws {
    let track = SharedFiles.media(name)
    let refused = try keymill.run(recipe: #"{"key": {}}"#, on: track)
    #expect(refused.exitCode == 65)
    #expect(refused.reason.contains("no video stream to key (1 audio stream: mp3"))
    #expect(refused.reason.hasSuffix("; a cover picture)"))
    let output = try keymill.make(recipe: #"{"audio": {"formats": ["wav"]}}"#, of: track)
    #expect(output.names(in: "audio").count == 1)
  }

  @Test(arguments: ["video/-video-with-dash-.mp4", "synthetic/grün ünïcode 视频 'quote' & co.mp4"])
  func `odd names of real files are names`(name: String) throws {
    for copy in [nil, "a:b %03d.mp4"] {
      var input = SharedFiles.media(name)
      if let copy { input = try keymill.copy(input, as: copy) }
      let result = try keymill.run(recipe: #"{"stills": {"cap": "64x64"}}"#, on: input)
      #expect(result.exitCode == 0, "\(result.reason)")
    }
  }
}
