/// A run of pixels as four rows of floats, small enough to stay in the first-level cache.
///
/// Channels are 0…1 and straight. Rows are made of vectors of eight pixels, so that a kernel is
/// plain arithmetic on `SIMD8<Float>`; the lanes after the last pixel hold values of no meaning.
struct ColorTile {
  typealias Lanes = SIMD8<Float>

  /// Pixels in a tile: four rows of 2 KB leave half of a first-level cache to look-up tables.
  static let capacity = 512

  private var vectors: [ColorVector]
  private var count = 0

  init() {
    vectors = [ColorVector](repeating: ColorVector(), count: Self.capacity / Lanes.scalarCount)
  }

  /// Takes 8-bit pixels in, each channel through its curve.
  mutating func load(_ pixels: Span<SIMD4<UInt8>>, through curves: borrowing ChannelCurves) {
    precondition(pixels.count <= Self.capacity, "a tile holds \(Self.capacity) pixels")
    count = pixels.count
    var vectors = vectors.mutableSpan
    for i in pixels.indices {
      let pixel = pixels[i]
      vectors[i >> 3].set(
        i & 7, red: curves.color[Int(pixel.x)], green: curves.color[Int(pixel.y)],
        blue: curves.color[Int(pixel.z)], alpha: Float(pixel.w) * (1 / 255))
    }
  }

  /// Writes the pixels out from index `start` on, each channel rounded to 8 bits.
  func store(into pixels: inout MutableSpan<SIMD4<UInt8>>, at start: Int) {
    for i in 0..<count {
      pixels[start + i] = vectors[i >> 3].pixel(i & 7)
    }
  }

  /// Maps the pixels in place and clamps what comes out to 0…1; NaN becomes 0.
  mutating func map(_ transform: (inout ColorVector) -> Void) {
    for i in vectors.indices {
      transform(&vectors[i])
      vectors[i].clamp()
    }
  }
}

/// Eight pixels, channel by channel.
struct ColorVector: Sendable {
  var red = ColorTile.Lanes.zero
  var green = ColorTile.Lanes.zero
  var blue = ColorTile.Lanes.zero
  var alpha = ColorTile.Lanes.zero

  mutating func set(_ lane: Int, red: Float, green: Float, blue: Float, alpha: Float) {
    self.red[lane] = red
    self.green[lane] = green
    self.blue[lane] = blue
    self.alpha[lane] = alpha
  }

  func pixel(_ lane: Int) -> SIMD4<UInt8> {
    let scaled = SIMD4(red[lane], green[lane], blue[lane], alpha[lane]) * 255 + 0.5
    return SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(scaled))
  }

  mutating func clamp() {
    red = red.clamped(lowerBound: .zero, upperBound: .one)
    green = green.clamped(lowerBound: .zero, upperBound: .one)
    blue = blue.clamped(lowerBound: .zero, upperBound: .one)
    alpha = alpha.clamped(lowerBound: .zero, upperBound: .one)
  }
}

/// The values that 8-bit channels stand for.
struct ChannelCurves: Sendable {
  /// The value of each code of red, green and blue, 0…1.
  var color: [Float]

  /// The straight line.
  static let identity = ChannelCurves(color: (0...255).map { Float($0) / 255 })

  /// This curve, rounded to 8 bits as the shaders' passes are, and then another.
  func followed(by curve: (Float) -> Float) -> ChannelCurves {
    ChannelCurves(
      color: color.map { value in
        let mapped = curve((value * 255).rounded(.toNearestOrEven) / 255)
        return mapped > 0 ? min(mapped, 1) : 0
      })
  }
}
