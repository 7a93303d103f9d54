/// The words of the four pixels around places.
struct PixelCorners {
  let topLeft: SIMD8<UInt32>
  let topRight: SIMD8<UInt32>
  let bottomLeft: SIMD8<UInt32>
  let bottomRight: SIMD8<UInt32>

  /// The colours mixed by the shares of the right and of the bottom pixels.
  @inline(__always)
  func mixed(_ right: Lanes, _ bottom: Lanes) -> ColorBlock {
    @inline(__always) func code(_ word: SIMD8<UInt32>, _ shift: UInt32) -> Lanes {
      Lanes(bytes: word &>> shift)
    }
    @inline(__always) func channel(_ shift: UInt32) -> Lanes {
      let (a, b) = (code(topLeft, shift), code(topRight, shift))
      let (c, d) = (code(bottomLeft, shift), code(bottomRight, shift))
      let above = a + (b - a) * right
      let below = c + (d - c) * right
      return (above + (below - above) * bottom) * (1 / 255)
    }
    return ColorBlock(red: channel(0), green: channel(8), blue: channel(16), alpha: channel(24))
  }
}
