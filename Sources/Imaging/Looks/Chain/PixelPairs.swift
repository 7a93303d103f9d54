import CVectors

/// The little-endian words of pixels and of those that follow them, eight at a time.
struct PixelPairs {
  let first: SIMD8<UInt32>
  let second: SIMD8<UInt32>

  /// Loads the pairs that begin at byte offsets from `base`; who calls answers for their being in
  /// memory.
  @inline(__always)
  @unsafe init(_ base: UnsafeRawPointer, _ offsets: SIMD8<Int32>) {
    let bytes = unsafe base.assumingMemoryBound(to: UInt8.self)
    let (firsts, seconds) = unsafe (
      km_load_words(bytes, offsets, 0), km_load_words(bytes, offsets, 1)
    )
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
