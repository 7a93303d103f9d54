import Foundation
import ImageFiles
import Imaging
import TestSupport
import Testing

@Suite struct PNGEncoderTests {
  static let compressions: [PNGCompression] = [
    .fast, .small(level: 1), .small(level: 6), .small(level: 12),
  ]

  private func encoded(
    _ image: RGBAImage, _ color: PNGColorType, _ compression: PNGCompression, tile: Int? = nil
  ) throws -> [UInt8] {
    var encoder = try PNGEncoder(compression: compression)
    try write(image, color, to: &encoder, tile: tile ?? image.height)
    return Array(encoder.bytes)
  }

  private func write(
    _ image: RGBAImage, _ color: PNGColorType, to encoder: inout PNGEncoder, tile: Int
  ) throws {
    encoder.begin(size: image.size, color: color)
    for y in stride(from: 0, to: image.height, by: tile) {
      let range = y * image.width..<min(y + tile, image.height) * image.width
      if color == .gray {
        let grey = image.pixels[range].map(\.x)
        try encoder.write(rows: grey.span)
      } else {
        try encoder.write(rows: image.pixels.span.extracting(range))
      }
    }
    try encoder.finish()
  }

  @Test(arguments: ["1x1", "2x1", "1x7", "33x17", "256x64"], compressions)
  func `what is written is read back`(size: String, compression: PNGCompression) throws {
    let image = RGBAImage.mixed(try #require(PixelSize(size)), seed: 4)
    for color in [PNGColorType.rgba, .rgb, .gray] {
      let bytes = try encoded(image, color, compression)
      let picture = try PNGReader.read(bytes.span)
      #expect(picture.size == image.size)
      #expect(picture.color == color)
      let expected = image.pixels.map { pixel in
        switch color {
        case .rgba: pixel
        case .rgb: SIMD4(pixel.x, pixel.y, pixel.z, 255)
        case .gray: SIMD4(pixel.x, pixel.x, pixel.x, 255)
        }
      }
      #expect(picture.image.pixels == expected)
    }
  }

  @Test(arguments: [1, 3, 16, 100])
  func `tiles of any height give the same picture`(tile: Int) throws {
    let image = RGBAImage.mixed(PixelSize(width: 71, height: 50), seed: 5)
    for compression in [PNGCompression.fast, .small(level: 6)] {
      let bytes = try encoded(image, .rgba, compression, tile: tile)
      #expect(try PNGReader.read(bytes.span).image == image)
    }
  }

  @Test func `an encoder used again gives what a new one gives`() throws {
    var encoder = try PNGEncoder()
    let sizes = ["300x200", "3x3", "640x10", "300x200"]
    for (index, size) in sizes.enumerated() {
      let image = RGBAImage.mixed(try #require(PixelSize(size)), seed: UInt64(index))
      let color: PNGColorType = index == 1 ? .rgb : .rgba
      try write(image, color, to: &encoder, tile: 64)
      let bytes = Array(encoder.bytes)
      #expect(bytes == (try encoded(image, color, .fast, tile: 64)))
      #expect(try PNGReader.read(bytes.span).size == image.size)
    }
  }

  @Test func `a picture that cannot be compressed outgrows the first buffer`() throws {
    var random = SeededRandom(seed: 8)
    let size = PixelSize(width: 400, height: 300)
    let image = RGBAImage(
      size: size,
      pixels: (0..<size.area).map { _ in
        SIMD4(random.byte(), random.byte(), random.byte(), random.byte())
      })
    let bytes = try encoded(image, .rgba, .fast)
    #expect(bytes.count > size.area * 4)
    #expect(try PNGReader.read(bytes.span).image == image)
  }

  @Test func `text and colour space are written before the image data`() throws {
    var encoder = try PNGEncoder()
    let image = RGBAImage(size: PixelSize(width: 2, height: 2))
    encoder.begin(
      size: image.size, color: .rgba, isSRGB: true, text: [(keyword: "Software", text: "ümlaut ✓")])
    try encoder.write(rows: image.pixels.span)
    try encoder.finish()
    let bytes = Array(encoder.bytes)
    let text = Array("tEXtSoftware".utf8) + [0, 0xfc] + Array("mlaut ?".utf8)
    let at = try #require(bytes.firstRange(of: text))
    let data = try #require(bytes.firstRange(of: Array("IDAT".utf8)))
    let space = try #require(bytes.firstRange(of: Array("sRGB".utf8)))
    #expect(space.lowerBound < at.lowerBound && at.lowerBound < data.lowerBound)
    #expect(try PNGCheck.check(bytes.span, depth: .pixels).size == image.size)
  }

  @Test func `a level the library does not have is refused`() {
    #expect(throws: ImageFileError.self) { _ = try PNGEncoder(compression: .small(level: 99)) }
  }
}
