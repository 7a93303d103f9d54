/// A linear map of red, green and blue.
struct ColorMatrix: PointFilter, Hashable {
  /// The weights of (red, green, blue) in each channel of the result.
  var red: SIMD3<Float>
  var green: SIMD3<Float>
  var blue: SIMD3<Float>

  static let identity = ColorMatrix(
    red: SIMD3(1, 0, 0), green: SIMD3(0, 1, 0), blue: SIMD3(0, 0, 1))

  /// Grey of GPUImage's luminance, near that of BT.709.
  static let luminance = ColorMatrix(
    red: SIMD3(0.2125, 0.7154, 0.0721), green: SIMD3(0.2125, 0.7154, 0.0721),
    blue: SIMD3(0.2125, 0.7154, 0.0721))

  /// `share` of this matrix and the rest of the other; more than 1 goes beyond this one.
  func mixed(with other: ColorMatrix, by share: Float) -> ColorMatrix {
    ColorMatrix(
      red: red * share + other.red * (1 - share), green: green * share + other.green * (1 - share),
      blue: blue * share + other.blue * (1 - share))
  }

  /// This map and then another.
  func followed(by next: ColorMatrix) -> ColorMatrix {
    func row(_ weights: SIMD3<Float>) -> SIMD3<Float> {
      red * weights.x + green * weights.y + blue * weights.z
    }
    return ColorMatrix(red: row(next.red), green: row(next.green), blue: row(next.blue))
  }

  /// Whether colours in 0…1 stay there, so that nothing is clamped.
  var staysInUnit: Bool {
    [red, green, blue].allSatisfy { row in
      let positive = row.replacing(with: 0, where: row .< 0).sum()
      // The sum of all weights is 1 in many a matrix, but for rounding.
      return row.min() >= 0 && positive <= 1 + 1e-6
    }
  }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let (r, g, b) = (block.red, block.green, block.blue)
    block.red = Self.sum(r, g, b, weights: red)
    block.green = Self.sum(r, g, b, weights: green)
    block.blue = Self.sum(r, g, b, weights: blue)
  }

  @inline(__always)
  private static func sum(_ r: Lanes, _ g: Lanes, _ b: Lanes, weights: SIMD3<Float>) -> Lanes {
    r * Lanes(weights.x) + g * Lanes(weights.y) + b * Lanes(weights.z)
  }
}

/// Two linear maps with a clamp between them, in one loop.
struct ColorMatrixPair: PointFilter {
  let first: ColorMatrix
  let second: ColorMatrix

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    first.apply(to: &block, at: place)
    block.clampColorsToUnit()
    second.apply(to: &block, at: place)
  }
}
