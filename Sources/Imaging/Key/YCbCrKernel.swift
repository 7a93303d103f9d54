/// The coefficients of an encoding as 16-bit fixed point.
///
/// Luma is taken in 1/128 and chroma in 1/256 of a code; the high half of the product with a
/// coefficient in 1/16384 and 1/8192 then is a channel in 1/32 of an 8-bit step. No sum leaves 16
/// bits, and the result is within 1 of the exactly rounded one.
struct FixedPointCoefficients: Hashable, Sendable {
  let lumaOffset: Int16
  let lumaScale: Int16
  let crToRed: Int16
  let cbToGreen: Int16
  let crToGreen: Int16
  let cbToBlue: Int16

  init(_ encoding: YCbCrEncoding) {
    let exact = encoding.coefficients
    func fixed(_ coefficient: Double, _ one: Double) -> Int16 {
      Int16((coefficient * 255 * one).rounded())
    }
    lumaOffset = Int16(exact.lumaOffset)
    lumaScale = fixed(exact.lumaScale, 16_384)
    crToRed = fixed(exact.crToRed, 8_192)
    cbToGreen = fixed(exact.cbToGreen, 8_192)
    crToGreen = fixed(exact.crToGreen, 8_192)
    cbToBlue = fixed(exact.cbToBlue, 8_192)
  }
}

/// Makes straight RGBA of luma, raised chroma and alpha, zero in all channels where alpha is zero.
///
/// Pixel `x` of `run` has its alpha at `alphaStart + x` and is written at `start + x`.
func convert(
  luma: Span<UInt8>, cb: [Int16], cr: [Int16], alpha: [UInt8], alphaStart: Int, _ run: Range<Int>,
  with coefficients: FixedPointCoefficients, into pixels: inout MutableSpan<SIMD4<UInt8>>,
  at start: Int
) {
  let cb = cb.span
  let cr = cr.span
  let alpha = alpha.span
  precondition(run.lowerBound >= 0 && run.upperBound <= luma.count, "run out of range")
  precondition(cb.count >= run.upperBound && cr.count >= run.upperBound, "run out of range")
  precondition(alphaStart >= 0 && alphaStart + run.upperBound <= alpha.count, "run out of range")
  precondition(start >= 0 && start + run.upperBound <= pixels.count, "run out of range")
  let c = coefficients
  for x in run {
    // 17: half a step to round, and one for the three products that are rounded down.
    let grey = highHalf((Int16(luma[x]) &- c.lumaOffset) &<< 7, c.lumaScale) &+ 17
    let (blue, red) = (cb[x], cr[x])
    let r = byte((grey &+ highHalf(red, c.crToRed)) &>> 5)
    let g = byte((grey &+ highHalf(blue, c.cbToGreen) &+ highHalf(red, c.crToGreen)) &>> 5)
    let b = byte((grey &+ highHalf(blue, c.cbToBlue)) &>> 5)
    // In bounds by the checks above, as is the pixel below.
    let a = unsafe alpha[unchecked: alphaStart &+ x]
    let packed = a == 0 ? 0 : r | g &<< 8 | b &<< 16 | UInt32(a) &<< 24
    // Building the vector lane by lane is not made vectors (1.9 ns a
    // pixel against 0.33), so the four bytes are put together as a little-endian word.
    unsafe pixels[unchecked: start &+ x] = unsafeBitCast(
      packed.littleEndian, to: SIMD4<UInt8>.self)
  }
}

/// The high half of a 32-bit product.
@inline(__always)
private func highHalf(_ a: Int16, _ b: Int16) -> Int16 {
  Int16(truncatingIfNeeded: (Int32(a) &* Int32(b)) &>> 16)
}

/// A value clamped to 0…255.
@inline(__always)
private func byte(_ value: Int16) -> UInt32 {
  UInt32(UInt8(truncatingIfNeeded: max(0, min(255, value))))
}
