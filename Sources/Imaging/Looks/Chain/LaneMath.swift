/// Functions that no instruction computes, to within a few units of the last place of a float: far
/// below an 8-bit step, at a tenth of the C library's cost.
extension Lanes {
  /// 2 to the power of each number; exponents are clamped to −126…126.
  ///
  /// The whole part goes into the exponent's bits, the rest into the Taylor polynomial of degree 6
  /// about 0, whose error over −½…½ is below 2·10⁻⁷.
  @inline(__always)
  var exponential2: Lanes {
    let exponent = minimum(maximum(self, -126), 126)
    let whole = exponent.rounded
    let rest = exponent - whole
    var power: Lanes = 1.5403530e-4
    power = power * rest + 1.3333558e-3
    power = power * rest + 9.6181291e-3
    power = power * rest + 5.5504109e-2
    power = power * rest + 0.24022651
    power = power * rest + 0.69314718
    power = power * rest + 1
    // The sum ends in the whole number's bits, which move to the place of the exponent.
    let steps = Lanes(whole.values + 12_582_912).bits &<< 23
    return Lanes(bits: power.bits &+ steps)
  }

  /// The logarithm to base 2 of positive numbers; of 0 and denormals about −127.
  ///
  /// The number is split into a power of two and a mantissa m in √½…√2, whose logarithm is the odd
  /// series in s = (m − 1)/(m + 1): 2/ln 2·(s + s³/3 + s⁵/5 + s⁷/7 + s⁹/9).
  @inline(__always)
  var logarithm2: Lanes {
    let root = SIMD8<Int32>(repeating: 0x3f35_04f3)  // √½
    let exponent = (bits &- root) &>> 23
    let mantissa = Lanes(bits: bits &- (exponent &<< 23))
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    var series: Lanes = 0.32059889
    series = series * square + 0.41219858
    series = series * square + 0.57707802
    series = series * square + 0.96179670
    series = series * square + 2.8853901
    // The bits of 1.5·2²³ plus the exponent.
    let sum = Lanes(bits: exponent &+ SIMD8(repeating: 0x4b40_0000))
    return s * series + (sum - 12_582_912)
  }

  /// Non-negative numbers to the power of an exponent; 0 to any power is 0, as the shaders have it.
  @inline(__always)
  func power(_ exponent: Lanes) -> Lanes {
    let raised = (logarithm2 * exponent).exponential2
    return select(self > 0, raised, 0)
  }

  /// e to the power of each number.
  @inline(__always)
  var exponential: Lanes { (self * 1.44269504).exponential2 }

  /// Sine and cosine of angles in radians, of a magnitude below some thousands.
  ///
  /// The angle is brought to ±π/4 about a quarter turn, in two steps so that no bits are lost
  /// (Cody and Waite 1980); the polynomials are Taylor's, with an error below 3·10⁻⁷.
  @inline(__always)
  var sineAndCosine: (sine: Lanes, cosine: Lanes) {
    let quarter = (self * 0.636619772).rounded
    let high = self - quarter * 1.5703125
    let angle = high - quarter * 4.83826795e-4
    let square = angle * angle
    var sine: Lanes = -1.9841270e-4
    sine = sine * square + 8.3333333e-3
    sine = sine * square - 0.16666667
    sine = angle + angle * square * sine
    var cosine: Lanes = 2.4801587e-5
    cosine = cosine * square - 1.3888889e-3
    cosine = cosine * square + 4.1666667e-2
    cosine = cosine * square - 0.5
    cosine = cosine * square + 1
    let turns = Lanes(quarter.values + 12_582_912).bits
    let isOdd = LaneMask((turns & SIMD8(repeating: 1)) .!= SIMD8(repeating: 0))
    let signOfSine = (turns &<< 30) & SIMD8(repeating: .min)
    let signOfCosine = ((turns &+ SIMD8(repeating: 1)) &<< 30) & SIMD8(repeating: .min)
    return (
      Lanes(bits: select(isOdd, cosine, sine).bits ^ signOfSine),
      Lanes(bits: select(isOdd, sine, cosine).bits ^ signOfCosine)
    )
  }

  /// The angle −π…π of the point (x, self), as `atan2(self, x)`; 0 for the origin.
  @inline(__always)
  func angle(over x: Lanes) -> Lanes {
    let (a, b) = (magnitude, x.magnitude)
    let ratio = minimum(a, b) / maximum(maximum(a, b), 1e-30)
    // Below tan(π/8) as it is, above it turned by π/4: the series then converges by 0.17 a term.
    let isSteep = ratio > 0.41421356
    let t = select(isSteep, (ratio - 1) / (ratio + 1), ratio)
    let square = t * t
    var series: Lanes = -9.0909091e-2
    series = series * square + 0.11111111
    series = series * square - 0.14285714
    series = series * square + 0.2
    series = series * square - 0.33333333
    var angle = t + t * square * series + select(isSteep, 0.78539816, 0)
    angle = select(a > b, 1.57079633 - angle, angle)
    angle = select(x < 0, 3.14159265 - angle, angle)
    return Lanes(bits: angle.bits | (bits & SIMD8(repeating: .min)))
  }
}
