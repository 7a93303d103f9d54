/// A keyer that is no more than a formula.
public protocol FormulaKeyer: Sendable {
  /// Keys an opaque picture by the screen's colour, 0…1.
  func matte(of picture: MattePicture, key: SIMD3<Float>) -> MattePicture
}

/// 0 up to `low`, 1 from `high` on, and a smooth climb between.
func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
  smoothClimb((value - low) / max(high - low, 1e-9))
}

extension MattePicture {
  /// The picture with a straight colour and coverage of each pixel that `rule` finds.
  func mapped(_ rule: (_ color: SIMD3<Float>) -> (color: SIMD3<Float>, alpha: Float))
    -> MattePicture
  {
    MattePicture(
      width: width, height: height,
      pixels: pixels.map { pixel in
        let (color, alpha) = rule(SIMD3(pixel.x, pixel.y, pixel.z))
        return SIMD4(color * alpha, alpha)
      })
  }
}
