// Floats that filters keep of earlier rows, read and written by blocks.

extension Span<Float> {
  /// The eight numbers from `index` on.
  @inline(__always)
  func lanes(at index: Int) -> Lanes {
    precondition(index >= 0 && index <= count &- ColorBlock.count, "a block out of range")
    // In bounds by the check.
    return unsafe Lanes(
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 4, as: SIMD8<Float>.self))
  }
}

extension MutableSpan<Float> {
  /// Sets the eight numbers from `index` on.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func setLanes(_ lanes: Lanes, at index: Int) {
    precondition(index >= 0 && index <= count &- ColorBlock.count, "a block out of range")
    unsafe withUnsafeMutableBytes { bytes in
      // In bounds by the check.
      unsafe bytes.storeBytes(of: lanes.values, toByteOffset: index &* 4, as: SIMD8<Float>.self)
    }
  }
}

extension Lanes {
  /// The codes in the lowest bytes of words, 0…255.
  @inline(__always)
  init(bytes words: SIMD8<UInt32>) {
    let codes = unsafe unsafeBitCast(words & SIMD8(repeating: 0xff), to: SIMD8<Int32>.self)
    self.init(SIMD8<Float>(codes))
  }
}
