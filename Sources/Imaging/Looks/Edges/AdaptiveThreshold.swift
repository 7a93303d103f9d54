/// White where the red channel is no more than 0.05 darker than the blurred one, else black; opaque.
struct AdaptiveThreshold: BlurMix {
  @inline(__always)
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32> {
    let red = SIMD8<UInt32>(repeating: 0xff)
    // 0.05 is 12.75 codes: 12 are no more, 13 are. The sign of the difference fills its lane.
    let excess = (sharp & red) &+ SIMD8(repeating: 12) &- (blurred & red)
    let isDark = unsafe unsafeBitCast(excess, to: SIMD8<Int32>.self) &>> 31
    return unsafe unsafeBitCast(~isDark, to: SIMD8<UInt32>.self) | SIMD8(repeating: 0xff00_0000)
  }
}
