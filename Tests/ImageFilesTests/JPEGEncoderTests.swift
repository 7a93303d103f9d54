import Foundation
import ImageFiles
import Imaging
import Testing

@Suite struct JPEGEncoderTests {
  /// The markers before the image data, and the frame header's size.
  private func structure(_ bytes: [UInt8]) throws -> (markers: [UInt8], size: PixelSize) {
    try #require(bytes.starts(with: [0xff, 0xd8]) && bytes.suffix(2) == [0xff, 0xd9])
    var markers: [UInt8] = []
    var size = PixelSize(width: 0, height: 0)
    var position = 2
    while markers.last != 0xda {
      try #require(bytes[position] == 0xff)
      markers.append(bytes[position + 1])
      func number(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
      if bytes[position + 1] == 0xc0 {
        size = PixelSize(width: number(position + 7), height: number(position + 5))
      }
      position += 2 + number(position + 2)
    }
    return (markers, size)
  }

  @Test(arguments: ["1x1", "17x9", "300x200"], [JPEGSubsampling.half, .none])
  func `a baseline JPEG of the picture's size is made`(
    size: String, subsampling: JPEGSubsampling
  ) throws {
    let image = RGBAImage.mixed(try #require(PixelSize(size)), seed: 3)
    var encoder = try JPEGEncoder()
    let (markers, found) = try structure(try encoder.encode(image, subsampling: subsampling))
    #expect(found == image.size)
    // SOF0 is baseline; APP1 would be EXIF.
    #expect(markers.contains(0xc0) && !markers.contains(0xe1))
  }

  @Test func `a lower quality is smaller, and an encoder can be used again`() throws {
    let image = RGBAImage.mixed(PixelSize(width: 200, height: 200), seed: 3)
    var encoder = try JPEGEncoder()
    let fine = try encoder.encode(image, quality: 95)
    let coarse = try encoder.encode(image, quality: 40)
    #expect(coarse.count < fine.count / 2)
    #expect(try encoder.encode(image, quality: 95) == fine)
  }

  @Test func `transparent pixels become white`() throws {
    let size = PixelSize(width: 32, height: 32)
    var encoder = try JPEGEncoder()
    let clear = try encoder.encode(RGBAImage(size: size, filledWith: SIMD4(9, 99, 200, 0)))
    let white = try encoder.encode(RGBAImage(size: size, filledWith: SIMD4(repeating: 255)))
    #expect(clear == white)
  }

  @Test func `a side of more than a JPEG can have is refused`() throws {
    let image = RGBAImage(size: PixelSize(width: 70_000, height: 1))
    var encoder = try JPEGEncoder()
    do {
      _ = try encoder.encode(image)
      Issue.record("the picture was encoded")
    } catch {
      #expect(error.code == .unsupported)
    }
  }
}
