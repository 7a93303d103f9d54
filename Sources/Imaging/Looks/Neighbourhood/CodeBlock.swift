/// The codes of eight pixels that stand side by side, 0…255, for filters that add and compare whole
/// numbers: sixteen bits each, which leaves room for a sign.
struct CodeBlock {
  /// Red and blue of each pixel.
  var redBlue: SIMD16<Int16>
  /// Green and alpha of each pixel.
  var greenAlpha: SIMD16<Int16>

  @inline(__always)
  init(redBlue: SIMD16<Int16>, greenAlpha: SIMD16<Int16>) {
    self.redBlue = redBlue
    self.greenAlpha = greenAlpha
  }

  /// The codes of pixels as little-endian words.
  @inline(__always)
  init(words: SIMD8<UInt32>) {
    let low = SIMD8<UInt32>(repeating: 0x00ff_00ff)
    redBlue = unsafe unsafeBitCast(words & low, to: SIMD16<Int16>.self)
    greenAlpha = unsafe unsafeBitCast((words &>> 8) & low, to: SIMD16<Int16>.self)
  }

  /// The pixels as little-endian words, of codes 0…255.
  var words: SIMD8<UInt32> {
    @inline(__always) get {
      let (low, high) = unsafe (
        unsafeBitCast(redBlue, to: SIMD8<UInt32>.self),
        unsafeBitCast(greenAlpha, to: SIMD8<UInt32>.self)
      )
      return low | high &<< 8
    }
  }
}
