/// GPUImage's measure of how far a colour is from the key: the distance in a plane of (Cr, Cb).
///
///     Y = 0.2989·R + 0.5866·G + 0.1145·B    Cr = 0.7132·(R − Y)    Cb = 0.5647·(B − Y)
///     d = √((Cr − Cr_key)² + (Cb − Cb_key)²)
///
/// The weights of Y sum to exactly 1, so Cr and Cb are zero for every grey and depend on the
/// differences of the channels alone. In code, 1 is white.
/// Source: GPUImage ChromaKeyFilter (BSD 3-clause, Brad Larson 2012).
struct ChromaDistance: Hashable, Sendable {
  private let keyCr: Float
  private let keyCb: Float

  /// Measures from the colour `key` (red, green, blue).
  init(from key: SIMD3<Float>) {
    let chroma = Self.chroma(red: key.x, green: key.y, blue: key.z)
    keyCr = chroma.cr
    keyCb = chroma.cb
  }

  /// The place of a colour in the plane.
  @inline(always)
  static func chroma(red: Float, green: Float, blue: Float) -> (cr: Float, cb: Float) {
    let luma = red * 0.2989 + green * 0.5866 + blue * 0.1145
    return (0.7132 * (red - luma), 0.5647 * (blue - luma))
  }

  /// The distance of a colour from the key.
  @inline(always)
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
  @inline(always)
  func coverage(at distance: Float) -> Float {
    let t = clampedToUnit((distance - start) * slope)
    return t * t * (3 - 2 * t)
  }
}

/// A number clamped to 0…1; NaN becomes 0.
///
/// Written so that it becomes two vector instructions.
@inline(always)
func clampedToUnit(_ value: Float) -> Float {
  let positive = value > 0 ? value : 0
  return positive < 1 ? positive : 1
}
