import Glibc

/// A point of the picture in pixels; (0, 0) is the upper left corner of the upper left pixel.
typealias Point = SIMD2<Float>

/// Red, green and blue in 0…1, gamma-encoded.
typealias Color = SIMD3<Float>

/// `value` held within 0…1.
func unitRange(_ value: Float) -> Float { min(max(value, 0), 1) }

/// 0 below 0, 1 above 1, and a smooth climb between.
func smoothClimb(_ value: Float) -> Float {
  let share = unitRange(value)
  return share * share * (3 - 2 * share)
}

/// The value a `share` of the way from `start` to `end`.
func blend<V: SIMD>(_ start: V, _ end: V, _ share: Float) -> V where V.Scalar == Float {
  start + (end - start) * share
}

extension SIMD2<Float> {
  var length: Float { (self * self).sum().squareRoot() }

  /// The vector of that length and direction in radians, clockwise with y pointing down.
  init(length: Float, angle: Float) {
    self.init(length * cosf(angle), length * sinf(angle))
  }

  /// The vector turned by `angle` radians.
  func turned(by angle: Float) -> SIMD2<Float> {
    let (c, s) = (cosf(angle), sinf(angle))
    return SIMD2(x * c - y * s, x * s + y * c)
  }
}
