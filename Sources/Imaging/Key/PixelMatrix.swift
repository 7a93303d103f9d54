import CVectors

/// The way from luma and chroma to pixels in 16-bit fixed point, eight at a time.
///
/// The arithmetic of ``FixedPointMatrix`` with the coefficients as variables: luma in 1/128 and chroma
/// in 1/256 of a code, channels in 1/32 of an 8-bit step.
struct PixelMatrix {
  private let lumaOffset, lumaScale, crToRed, cbToGreen, crToGreen, cbToBlue: SIMD8<Int16>

  /// The matrix of an encoding.
  init(_ encoding: YCbCrEncoding) {
    func fixed(_ value: Double, _ scale: Double) -> SIMD8<Int16> {
      SIMD8(repeating: Int16((value * 255 * scale).rounded()))
    }
    let c = encoding.coefficients
    lumaOffset = SIMD8(repeating: Int16(c.lumaOffset))
    lumaScale = fixed(c.lumaScale, 16384)
    crToRed = fixed(c.crToRed, 8192)
    cbToGreen = fixed(c.cbToGreen, 8192)
    crToGreen = fixed(c.crToGreen, 8192)
    cbToBlue = fixed(c.cbToBlue, 8192)
  }

  /// Opaque pixels as words, red in the low byte, of luma codes and chroma about 128 in 1/256.
  @inline(always)
  func pixels(luma: SIMD8<Int16>, cb: SIMD8<Int16>, cr: SIMD8<Int16>) -> SIMD8<UInt32> {
    // 17: half a step to round, and one for the products that are rounded down.
    let grey = ((luma &- lumaOffset) &<< 7).highHalf(times: lumaScale) &+ 17
    let red = (grey &+ cr.highHalf(times: crToRed)) &>> 5
    let green =
      (grey &+ cb.highHalf(times: cbToGreen) &+ cr.highHalf(times: crToGreen)) &>> 5
    let blue = (grey &+ cb.highHalf(times: cbToBlue)) &>> 5
    let low = red.clampedToByte | green.clampedToByte &<< 8
    let high = blue.clampedToByte | Int16(bitPattern: 0xff00)
    return km_joined(low, high)
  }
}

/// Sixteen pixels of those at even and at odd places.
@inline(always)
func interleaved(_ even: SIMD8<UInt32>, _ odd: SIMD8<UInt32>) -> SIMD16<UInt32> {
  km_interleaved(even, odd)
}
