import CVectors

/// Products of two channels' codes, 0…255², of eight pixels: what blends of bytes add up.
///
/// A sum of more than sixteen bits stays the greatest number that they hold.
struct CodeProducts {
  /// Red and blue by turns.
  var low: SIMD16<UInt16>
  /// Green and alpha.
  var high: SIMD16<UInt16>

  /// The product of 255 and 255, a whole channel.
  private static let most: UInt16 = 65_025

  @inline(__always)
  init(low: SIMD16<UInt16>, high: SIMD16<UInt16>) {
    self.low = low
    self.high = high
  }

  /// The products of two pictures' channels.
  @inline(__always)
  init(_ a: ChannelCodes, _ b: ChannelCodes) {
    self.init(low: a.low &* b.low, high: a.high &* b.high)
  }

  @inline(__always)
  static func + (a: CodeProducts, b: CodeProducts) -> CodeProducts {
    CodeProducts(low: km_saturated_sum(a.low, b.low), high: km_saturated_sum(a.high, b.high))
  }

  /// The lesser of each two.
  @inline(__always)
  func lesser(_ other: CodeProducts) -> CodeProducts {
    CodeProducts(
      low: km_lesser_ushorts(low, other.low), high: km_lesser_ushorts(high, other.high))
  }

  /// Others where a sum is at least as much as a bound.
  @inline(__always)
  func replaced(by other: CodeProducts, whereAtLeast bound: CodeProducts, _ sum: CodeProducts)
    -> CodeProducts
  {
    CodeProducts(
      low: km_select_at_least(sum.low, bound.low, other.low, low),
      high: km_select_at_least(sum.high, bound.high, other.high, high))
  }

  /// The words of pixels of a 255th of these, clamped and rounded; no product lies between two codes.
  var words: SIMD8<UInt32> {
    @inline(__always) get {
      let most = SIMD16(repeating: Self.most)
      return CodeProducts(low: km_lesser_ushorts(low, most), high: km_lesser_ushorts(high, most))
        .wordsInRange
    }
  }

  /// The same of products that are no sums, and need not be clamped.
  var wordsInRange: SIMD8<UInt32> {
    @inline(__always) get {
      // With a half added, a 255th is 257 times as many 65536ths.
      let factor = SIMD16<UInt16>(repeating: 257)
      return ChannelCodes(
        low: km_high_product(low &+ 128, factor), high: km_high_product(high &+ 128, factor)
      ).words
    }
  }
}

/// The codes of eight pixels in words of sixteen bits.
struct ChannelCodes {
  /// Red and blue by turns.
  let low: SIMD16<UInt16>
  /// Green and alpha.
  let high: SIMD16<UInt16>

  @inline(__always)
  init(low: SIMD16<UInt16>, high: SIMD16<UInt16>) {
    self.low = low
    self.high = high
  }

  /// The codes of pixels.
  @inline(__always)
  init(_ words: SIMD8<UInt32>) {
    let words = unsafe unsafeBitCast(words, to: SIMD16<UInt16>.self)
    self.init(low: words & SIMD16(repeating: 0xff), high: words &>> 8)
  }

  /// The alpha of pixels in the place of all their channels.
  @inline(__always)
  init(alphaOf words: SIMD8<UInt32>) {
    let alpha = words &>> 24
    let both = unsafe unsafeBitCast(alpha | alpha &<< 16, to: SIMD16<UInt16>.self)
    self.init(low: both, high: both)
  }

  /// What the codes lack to 255.
  var complement: ChannelCodes {
    @inline(__always) get {
      let most = SIMD16<UInt16>(repeating: 255)
      return ChannelCodes(low: low ^ most, high: high ^ most)
    }
  }

  /// The codes times 255.
  var full: CodeProducts {
    @inline(__always) get {
      CodeProducts(low: (low &<< 8) &- low, high: (high &<< 8) &- high)
    }
  }

  /// The words of pixels.
  var words: SIMD8<UInt32> {
    @inline(__always) get { unsafe unsafeBitCast(low | high &<< 8, to: SIMD8<UInt32>.self) }
  }
}

/// The bytes of eight pixels.
struct PixelBytes {
  private var bytes: SIMD32<UInt8>

  @inline(__always)
  private init(_ bytes: SIMD32<UInt8>) { self.bytes = bytes }

  @inline(__always)
  init(_ words: SIMD8<UInt32>) { bytes = unsafe unsafeBitCast(words, to: SIMD32<UInt8>.self) }

  /// The words of the pixels.
  var words: SIMD8<UInt32> {
    @inline(__always) get { unsafe unsafeBitCast(bytes, to: SIMD8<UInt32>.self) }
  }

  /// What these exceed others by; 0 where they do not.
  @inline(__always)
  func excess(over other: PixelBytes) -> PixelBytes {
    PixelBytes(km_excess(bytes, other.bytes))
  }

  /// The greater of each two.
  @inline(__always)
  func greater(_ other: PixelBytes) -> PixelBytes {
    PixelBytes(km_greater_bytes(bytes, other.bytes))
  }

  /// The lesser of each two.
  @inline(__always)
  func lesser(_ other: PixelBytes) -> PixelBytes {
    PixelBytes(km_lesser_bytes(bytes, other.bytes))
  }

  /// The sums, at most 255.
  @inline(__always)
  func sum(_ other: PixelBytes) -> PixelBytes {
    PixelBytes(km_saturated_byte_sum(bytes, other.bytes))
  }
}

extension SIMD8<UInt32> {
  /// Whether the pixels of these words are all opaque.
  var isOpaque: Bool {
    @inline(__always) get { km_all_set(self, 0xff00_0000) != 0 }
  }

  /// The words with the alpha of others.
  @inline(__always)
  func withAlpha(of other: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let alpha = SIMD8<UInt32>(repeating: 0xff00_0000)
    return (self & ~alpha) | (other & alpha)
  }
}
