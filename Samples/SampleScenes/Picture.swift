/// A picture with transparency: straight RGBA, eight bits a channel, rows from top to bottom.
///
/// Where alpha is zero, so are red, green and blue.
public struct Picture: Sendable, Equatable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The pixels as (red, green, blue, alpha), row after row without gaps.
  public let pixels: [SIMD4<UInt8>]

  /// Makes a picture of `width` × `height` pixels, which must be as many as there are `pixels`.
  public init(width: Int, height: Int, pixels: [SIMD4<UInt8>]) {
    precondition(pixels.count == width * height, "a picture has width times height pixels")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The pixel at column `x` of row `y`.
  public subscript(x: Int, y: Int) -> SIMD4<UInt8> {
    pixels[y * width + x]
  }

  /// The bytes R, G, B, A of each pixel in turn.
  public var rgba: [UInt8] {
    var bytes = [UInt8]()
    bytes.reserveCapacity(pixels.count * 4)
    for pixel in pixels {
      bytes.append(pixel.x)
      bytes.append(pixel.y)
      bytes.append(pixel.z)
      bytes.append(pixel.w)
    }
    return bytes
  }

  /// The picture turned by a quarter to the left: its right edge becomes the top.
  public func turnedLeft() -> Picture {
    var turned = [SIMD4<UInt8>]()
    turned.reserveCapacity(pixels.count)
    for x in stride(from: width - 1, through: 0, by: -1) {
      for y in 0..<height {
        turned.append(self[x, y])
      }
    }
    return Picture(width: height, height: width, pixels: turned)
  }
}
