/// Sixteen bytes as eight 16-bit words, each with two bytes that are worked on apart.
///
/// The bytes in the low halves are every other one, those in the high halves the rest: to part and to
/// join them takes one instruction each, and which is which does not matter.
typealias ByteWords = SIMD8<UInt16>

/// The bytes of a block of eight pixels, as ``ByteWords``.
typealias BlockWords = SIMD16<UInt16>

extension RawSpan {
  /// The sixteen bytes from `offset` on, which is not checked.
  @unsafe @inline(__always)
  func byteWords(at offset: Int) -> ByteWords {
    unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: ByteWords.self)
  }

  /// The 32 bytes from `offset` on, which is not checked.
  @unsafe @inline(__always)
  func blockWords(at offset: Int) -> BlockWords {
    unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: BlockWords.self)
  }
}

/// The upper sixteen bits of the products.
@inline(__always)
func highProduct(_ a: ByteWords, _ b: ByteWords) -> ByteWords {
  // One instruction on the usual machines, which the compiler knows by this form.
  let product =
    SIMD8<UInt32>(truncatingIfNeeded: a) &* SIMD8<UInt32>(truncatingIfNeeded: b)
  return ByteWords(truncatingIfNeeded: product &>> 16)
}

/// The words of eight pixels from the low and high bytes of their halves.
@inline(__always)
func joined(
  _ low: (ByteWords, ByteWords), _ high: (ByteWords, ByteWords)
) -> SIMD8<UInt32> {
  let halves = (low.0 | high.0 &<< 8, low.1 | high.1 &<< 8)
  // Two halves of sixteen bytes each.
  return unsafe unsafeBitCast(halves, to: SIMD8<UInt32>.self)
}

extension MutableSpan<SIMD4<UInt8>> {
  /// Sets the eight pixels of a block, which is not checked.
  @unsafe @inline(__always)
  @_lifetime(self: copy self)
  mutating func setBlock(_ block: Int, to words: SIMD8<UInt32>) {
    unsafe withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: words, toByteOffset: 32 &* block, as: SIMD8<UInt32>.self)
    }
  }
}
