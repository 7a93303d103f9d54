/// GPUImage's measure of how far a colour is from the key: the distance in a plane of (Cr, Cb).
///
///     Y = 0.2989·R + 0.5866·G + 0.1145·B    Cr = 0.7132·(R − Y)    Cb = 0.5647·(B − Y)
///     d = √((Cr − Cr_key)² + (Cb − Cb_key)²)
///
/// The weights of Y sum to exactly 1, so Cr and Cb are zero for every grey and depend on the
/// differences of the channels alone.
/// Source: GPUImage ChromaKeyFilter; in code, 1 is white.
struct ChromaDistance: Hashable, Sendable {
  static let lumaWeights = SIMD3<Float>(0.2989, 0.5866, 0.1145)
  private let keyCr: Float
  private let keyCb: Float

  /// Measures from the colour `key` (red, green, blue).
  init(from key: SIMD3<Float>) {
    let chroma = Self.chroma(red: key.x, green: key.y, blue: key.z)
    keyCr = chroma.cr
    keyCb = chroma.cb
  }

  /// The place of a colour in the plane.
  static func chroma(red: Float, green: Float, blue: Float) -> (cr: Float, cb: Float) {
    let luma = red * lumaWeights.x + green * lumaWeights.y + blue * lumaWeights.z
    return (0.7132 * (red - luma), 0.5647 * (blue - luma))
  }

  /// The distance of a colour from the key.
  func callAsFunction(red: Float, green: Float, blue: Float) -> Float {
    let chroma = Self.chroma(red: red, green: green, blue: blue)
    let (cr, cb) = (chroma.cr - keyCr, chroma.cb - keyCb)
    return (cr * cr + cb * cb).squareRoot()
  }
}

/// The smooth step from transparent to opaque over a chroma distance.
struct KeyRamp: Hashable, Sendable {
  private let start: Float
  private let slope: Float

  /// Rises from 0 at `threshold` to 1 at `threshold + smoothing`.
  ///
  /// No smoothing makes a hard step, where the shader would divide by zero.
  init(threshold: Float, smoothing: Float) {
    start = threshold
    slope = 1 / max(smoothing, 1e-6)
  }

  /// The share of the foreground at a distance, 0…1.
  func coverage(at distance: Float) -> Float {
    let t = (distance - start) * slope
    let bounded = t > 0 ? (t < 1 ? t : 1) : 0
    return bounded * bounded * (3 - 2 * bounded)
  }
}

/// The same on eight colours at once.
extension ChromaDistance {
  /// The distances of eight colours from the key.
  func callAsFunction(red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>) -> SIMD8<Float> {
    let weights = Self.lumaWeights
    let luma = red * weights.x + green * weights.y + blue * weights.z
    let cr = (red - luma) * 0.7132 - keyCr
    let cb = (blue - luma) * 0.5647 - keyCb
    return (cr * cr + cb * cb).squareRoot()
  }
}

extension KeyRamp {
  /// The shares of the foreground at eight distances.
  func coverage(at distance: SIMD8<Float>) -> SIMD8<Float> {
    let t = ((distance - start) * slope).clamped(lowerBound: .zero, upperBound: .one)
    return t * t * (3 - 2 * t)
  }
}
