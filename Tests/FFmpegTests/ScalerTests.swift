import FFmpeg
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct ScalerTests {
  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: [
      "quads-bt709.bt709.pc.gbrp.h264.mp4", "quads-bt709.bt709.pc.yuv420p.h264.mp4",
      "quads-bt709.bt709.tv.gbrp.av1.webm", "quads-bt709.bt709.tv.yuv420p.h264.mp4",
      "quads-bt709.bt709.tv.yuv420p10.vp9.webm",
    ])
  func `tagged files of one picture agree within two levels`(file: String) throws {
    let pixels = try firstFrame(SharedFiles.media("colour/\(file)")).rgba()
    let places = [(320, 180), (960, 180), (320, 540), (960, 540)]
    for ((x, y), grey) in zip(places, [0, 16, 235, 255]) {
      for component in pixels[x, y].prefix(3) { #expect(abs(Int(component) - grey) <= 2) }
      #expect(pixels[x, y][3] == 255)
    }
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: ["wpt-four-colors.png", "wpt-four-colors.mp4"])
  func `RGB comes out as it is`(file: String) throws {
    let pixels = try firstFrame(SharedFiles.media("colour/\(file)")).rgba()
    #expect(pixels[80, 60] == [255, 255, 0, 255])
    #expect(pixels[240, 60] == [255, 0, 0, 255])
    #expect(pixels[80, 180] == [0, 0, 255, 255])
    #expect(pixels[240, 180] == [0, 255, 0, 255])
  }

  /// Every value of every component once, at an odd size.
  private func ramp(_ format: PixelFormat, channels: Int) throws -> Frame {
    try Frame.picture(width: 257, height: 3, format: format) { _, bytes, stride in
      for y in 0..<3 {
        for x in 0..<(257 * channels) {
          bytes[y * stride + x] = UInt8(truncatingIfNeeded: x / channels * (x % channels + 1) + y)
        }
      }
    }
  }

  @Test func `8-bit RGB passes unchanged`() throws {
    let rgb = try ramp(.rgb24, channels: 3).rgba()
    let rgba = try ramp(.rgba, channels: 4).rgba()
    for y in 0..<3 {
      for x in 0..<257 {
        let expected = (1...4).map { UInt8(truncatingIfNeeded: x * $0 + y) }
        #expect(rgba[x, y] == expected)
        #expect(rgb[x, y] == Array(expected.prefix(3)) + [255])
      }
    }
  }

  @Test func `8-bit grey passes unchanged`() throws {
    let pixels = try ramp(.gray8, channels: 1).rgba()
    for x in 0..<257 {
      let value = UInt8(truncatingIfNeeded: x)
      #expect(pixels[x, 0] == [value, value, value, 255])
    }
  }

  @Test(arguments: [
    (ColourDescription.Matrix.bt601, false, [81, 90, 240]),
    (.bt601, true, [76, 85, 255]),
    (.bt709, false, [63, 102, 240]),
    (.bt709, true, [54, 99, 255]),
    (.bt2020, false, [74, 97, 240]),
  ])
  func `red is red in every matrix and range`(
    matrix: ColourDescription.Matrix, isFullRange: Bool, yuv: [Int]
  ) throws {
    let colour = ColourDescription(
      matrix: matrix, isFullRange: isFullRange, transfer: .unspecified, primaries: .unspecified)
    let frame = try Frame.picture(width: 5, height: 3, format: .yuv420p, colour: colour) {
      plane, bytes, _ in
      for index in bytes.indices { bytes[index] = UInt8(yuv[plane]) }
    }
    let pixel = try frame.rgba()[2, 1]
    #expect(zip(pixel, [255, 0, 0, 255]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(pixel)")
  }

  @Test(arguments: [(1280, 90, true), (160, 720, true), (1278, 718, false)])
  func `the matrix of an untagged picture goes by its size`(
    width: Int, height: Int, is709: Bool
  ) throws {
    let frame = try Frame.picture(width: width, height: height, format: .yuv444p) {
      plane, bytes, _ in
      for index in bytes.indices { bytes[index] = UInt8([63, 102, 240][plane]) }
    }
    #expect(frame.colour.matrix == .unspecified)
    #expect(
      frame.colour.resolvedMatrix(width: width, height: height) == (is709 ? .bt709 : .bt601))
    let green = Int(try frame.rgba()[3, 3][1])
    #expect(is709 ? green <= 2 : green > 10 || green == 0)
    // BT.709's red read by BT.601's matrix is darker.
    #expect(try (frame.rgba()[3, 3][0] > 250) == is709)
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: [
      "photo/cat.jpg", "video/minimal.mp4", "synthetic/syn-h264-422.mp4",
      "photo/basn6a16.png", "photo/pal8nonsquare.bmp", "video/hlg10-color-test.mp4",
      "synthetic/syn-prores4444-alpha.mov", "photo/lossy_alpha.webp",
      "video/bear-vp9-odd-dimensions.webm",
    ])
  func `bands of rows are the same to the bit as the whole`(file: String) throws {
    let frame = try firstFrame(SharedFiles.media(file))
    let whole = try frame.rgba()
    let scaler = Scaler()
    for bandHeight in [7, 16, 100] {
      var pixels = whole
      pixels.bytes = [UInt8](repeating: 7, count: whole.bytes.count)
      for first in stride(from: 0, to: frame.height, by: bandHeight) {
        let rows = first..<min(frame.height, first + bandHeight)
        var band = [UInt8](repeating: 0, count: rows.count * frame.width * 4)
        var span = band.mutableSpan
        try scaler.convertRowsToRGBA(frame, rows: rows, into: &span, stride: frame.width * 4)
        pixels.bytes.replaceSubrange(
          (first * frame.width * 4)..<(rows.upperBound * frame.width * 4), with: band)
      }
      #expect(pixels == whole)
    }
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: [
      ("photo/pal8nonsquare.bmp", "pal8"), ("photo/basi0g16.png", "gray16be"),
      ("photo/basn6a16.png", "rgba64be"), ("photo/panic.webp", "argb"),
      ("photo/mixed-disposal.gif", "bgra"), ("photo/tiff_strip_cmyk_16l_jpeg.tif", "rgba64le"),
    ])
  func `unusual formats look as ffmpeg shows them`(file: String, format: String) throws {
    let frame = try firstFrame(SharedFiles.media(file))
    #expect(frame.pixelFormat.name == format)
    let pixels = try frame.rgba()
    let arguments = ["-i", SharedFiles.media(file), "-frames:v", "1"]
    let bytes = try FFmpegTool.run(
      arguments + ["-sws_flags", "accurate_rnd+full_chroma_int", "-pix_fmt", "rgba"]
        + ["-f", "rawvideo", "-"])
    let expected = Pixels(width: frame.width, height: frame.height, bytes: bytes)
    #expect(pixels.difference(to: expected) < 1)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a picture of one bit a pixel is black and white`() throws {
    let frame = try firstFrame(SharedFiles.media("synthetic/syn-png-valid-1bit-12000x12000.png"))
    #expect(frame.pixelFormat.name == "monob")
    var band = [UInt8](repeating: 7, count: 16 * frame.width * 4)
    var span = band.mutableSpan
    try Scaler().convertRowsToRGBA(frame, rows: 0..<16, into: &span, stride: frame.width * 4)
    #expect(Set(band).isSubset(of: [0, 255]))
  }

  @Test func `nothing is written between rows nor after them`() throws {
    let frame = try ramp(.rgb24, channels: 3)
    let scaler = Scaler()
    for width in [257, 101, 1] {
      let stride = width * 4 + 12
      var bytes = [UInt8](repeating: 0xa5, count: stride * 3)
      var span = bytes.mutableSpan
      try scaler.convertToRGBA(frame, width: width, height: 3, into: &span, stride: stride)
      for y in 0..<3 {
        #expect(bytes[(y * stride + width * 4)..<((y + 1) * stride)].allSatisfy { $0 == 0xa5 })
      }
    }
  }

  @Test(arguments: [100, 60, 5, 1000])
  func `an even picture stays even at any size`(size: Int) throws {
    let frame = try Frame.picture(width: 303, height: 201, format: .yuv420p) { plane, bytes, _ in
      for index in bytes.indices { bytes[index] = UInt8([120, 90, 160][plane]) }
    }
    let whole = try frame.rgba()
    let scaled = try frame.rgba(width: size, height: size / 2)
    for index in scaled.bytes.indices {
      #expect(abs(Int(scaled.bytes[index]) - Int(whole.bytes[index % 4])) <= 1)
    }
  }

  @Test(arguments: [2, 4, 8]) func `a reduction takes all pixels into account`(factor: Int) throws {
    let frame = try Frame.picture(width: 320, height: 160, format: .gray8) { _, bytes, stride in
      for y in 0..<160 {
        for x in 0..<320 { bytes[y * stride + x] = (x + y) % 2 == 0 ? 0 : 255 }
      }
    }
    let small = try frame.rgba(width: 320 / factor, height: 160 / factor)
    // Away from the border, where filters see less.
    for x in 5..<(320 / factor - 5) { #expect(abs(Int(small[x, 8][0]) - 127) <= 3) }
  }

  @Test func `a frame converted there and back is the same within two levels`() throws {
    let colours: [[UInt8]] = [
      [255, 0, 0], [0, 255, 0], [0, 0, 255], [192, 127, 63], [16, 16, 16],
    ]
    let frame = try Frame.picture(width: 80, height: 16, format: .rgba, pts: 5) {
      _, bytes, stride in
      for y in 0..<16 {
        for x in 0..<80 {
          for channel in 0..<3 { bytes[y * stride + x * 4 + channel] = colours[x / 16][channel] }
          bytes[y * stride + x * 4 + 3] = 255
        }
      }
    }
    let yuv = try Scaler().convert(frame, to: .yuva420p)
    #expect(yuv.colour.matrix == .bt601)
    #expect(yuv.colour.isFullRange == false)
    #expect(yuv.pts == 5)
    let back = try yuv.rgba()
    for (index, colour) in colours.enumerated() {
      let pixel = back[index * 16 + 8, 8]
      #expect(zip(pixel, colour + [255]).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(pixel)")
    }
  }
}
