public import SampleScenes

/// A picture with coverage, in floating point: a truth, what a keyer made, or an opaque frame.
public struct MattePicture: Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The pixels (red, green, blue, alpha) in 0…1, colours multiplied by alpha, row after row.
  public let pixels: [SIMD4<Float>]

  /// Makes a picture of premultiplied pixels, as many as the size has.
  public init(width: Int, height: Int, pixels: [SIMD4<Float>]) {
    precondition(pixels.count == width * height, "a picture has width times height pixels")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Makes a picture of straight 8-bit pixels.
  public init(width: Int, height: Int, straight: [SIMD4<UInt8>]) {
    self.init(
      width: width, height: height,
      pixels: straight.map { pixel in
        var value = SIMD4<Float>(pixel) / 255
        let alpha = value.w
        value *= alpha
        value.w = alpha
        return value
      })
  }

  /// A truth.
  public init(_ picture: Picture) {
    self.init(width: picture.width, height: picture.height, straight: picture.pixels)
  }

  /// Reads raw frames of 3 (`rgb24`, opaque) or 4 (`rgba`, straight) bytes a pixel.
  ///
  /// What is left behind the last whole frame is ignored.
  public static func frames(
    ofRaw bytes: [UInt8], width: Int, height: Int, channels: Int
  ) -> [MattePicture] {
    let area = width * height
    return (0..<bytes.count / (area * channels)).map { frame in
      let start = frame * area * channels
      let straight = (0..<area).map { index -> SIMD4<UInt8> in
        let at = start + index * channels
        return SIMD4(bytes[at], bytes[at + 1], bytes[at + 2], channels == 4 ? bytes[at + 3] : 255)
      }
      return MattePicture(width: width, height: height, straight: straight)
    }
  }

  /// The picture as straight 8-bit pixels, zero where alpha is.
  public var straight: [SIMD4<UInt8>] {
    pixels.map { pixel in
      guard pixel.w > 0 else { return .zero }
      var color = pixel / pixel.w
      color.w = pixel.w
      return SIMD4<UInt8>(
        (color.clamped(lowerBound: .zero, upperBound: .one) * 255).rounded(.toNearestOrEven))
    }
  }
}
