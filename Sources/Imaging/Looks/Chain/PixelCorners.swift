/// The words of the four pixels around places.
struct PixelCorners {
  let topLeft: SIMD8<UInt32>
  let topRight: SIMD8<UInt32>
  let bottomLeft: SIMD8<UInt32>
  let bottomRight: SIMD8<UInt32>

  /// The colours mixed by the shares of the right and of the bottom pixels.
  @inline(__always)
  func mixed(_ right: Lanes, _ bottom: Lanes) -> ColorBlock {
    // The code of a channel in the lowest bits of 2²³, which differences are free of.
    @inline(__always) func code(_ word: SIMD8<UInt32>, _ shift: UInt32) -> Lanes {
      let code = (word &>> shift) & SIMD8(repeating: 0xff)
      return Lanes(
        unsafe unsafeBitCast(code | SIMD8(repeating: 0x4b00_0000), to: SIMD8<Float>.self))
    }
    @inline(__always) func channel(_ shift: UInt32) -> Lanes {
      let (a, b) = (code(topLeft, shift), code(topRight, shift))
      let (c, d) = (code(bottomLeft, shift), code(bottomRight, shift))
      let above = a - 8_388_608 + (b - a) * right
      let below = c - 8_388_608 + (d - c) * right
      return (above + (below - above) * bottom) * (1 / 255)
    }
    return ColorBlock(red: channel(0), green: channel(8), blue: channel(16), alpha: channel(24))
  }
}
