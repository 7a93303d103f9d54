/// GPUImage's chroma key: a smooth ramp over the distance in the plane of Cr and Cb.
///
/// Source: the fragment shader of `GPUImageChromaKeyFilter` (B. Larson, 2012).
public struct GPUImageFormula: FormulaKeyer {
  /// The distance up to which a pixel is transparent (`thresholdSensitivity`).
  public let threshold: Float
  /// The width of the ramp behind it (`smoothing`).
  public let smoothing: Float

  /// Makes the keyer.
  public init(threshold: Float, smoothing: Float) {
    self.threshold = threshold
    self.smoothing = smoothing
  }

  /// Keys an opaque picture by the screen's colour, 0…1.
  public func matte(of picture: MattePicture, key: SIMD3<Float>) -> MattePicture {
    let target = Self.chroma(of: key)
    return picture.mapped { color in
      let offset = Self.chroma(of: color) - target
      let distance = (offset * offset).sum().squareRoot()
      return (color, smoothstep(threshold, threshold + smoothing, distance))
    }
  }

  private static func chroma(of color: SIMD3<Float>) -> SIMD2<Float> {
    let luma = (color * SIMD3(0.2989, 0.5866, 0.1145)).sum()
    return SIMD2(0.7132 * (color.x - luma), 0.5647 * (color.z - luma))
  }
}
