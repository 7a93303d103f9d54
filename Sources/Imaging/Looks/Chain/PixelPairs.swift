/// The little-endian words of pixels and of those that follow them, eight at a time.
struct PixelPairs {
  let first: SIMD8<UInt32>
  let second: SIMD8<UInt32>

  /// Loads the pairs that begin at byte offsets from `base`; who calls answers for their being in
  /// memory.
  @inline(__always)
  @unsafe init(_ base: UnsafeRawPointer, _ offsets: SIMD8<Int32>) {
    // Two words in one load, and one shuffle for four of them: half the instructions of loading
    // words one by one.
    @inline(__always) func pair(_ offset: Int32) -> SIMD2<UInt32> {
      unsafe base.loadUnaligned(
        fromByteOffset: Int(truncatingIfNeeded: offset), as: SIMD2<UInt32>.self)
    }
    let low = SIMD8(
      lowHalf: SIMD4(lowHalf: pair(offsets[0]), highHalf: pair(offsets[1])),
      highHalf: SIMD4(lowHalf: pair(offsets[2]), highHalf: pair(offsets[3])))
    let high = SIMD8(
      lowHalf: SIMD4(lowHalf: pair(offsets[4]), highHalf: pair(offsets[5])),
      highHalf: SIMD4(lowHalf: pair(offsets[6]), highHalf: pair(offsets[7])))
    let firsts = SIMD8(lowHalf: low.evenHalf, highHalf: high.evenHalf)
    let seconds = SIMD8(lowHalf: low.oddHalf, highHalf: high.oddHalf)
    #if _endian(big)
      (first, second) = (firsts.byteSwapped, seconds.byteSwapped)
    #else
      (first, second) = (firsts, seconds)
    #endif
  }

  /// Loads lone pixels at byte offsets from `base`, which stand for those that follow them too.
  @inline(__always)
  @unsafe init(lone base: UnsafeRawPointer, _ offsets: SIMD8<Int32>) {
    @inline(__always) func word(_ offset: Int32) -> UInt32 {
      unsafe base.loadUnaligned(
        fromByteOffset: Int(truncatingIfNeeded: offset), as: UInt32.self
      ).littleEndian
    }
    first = SIMD8(
      word(offsets[0]), word(offsets[1]), word(offsets[2]), word(offsets[3]),
      word(offsets[4]), word(offsets[5]), word(offsets[6]), word(offsets[7]))
    second = first
  }
}
