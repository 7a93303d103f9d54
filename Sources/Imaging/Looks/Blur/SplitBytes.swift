import CVectors

/// The channels of eight pixels in words of sixteen bits, with sign: red and blue by turns, and green and
/// alpha.
struct SplitBytes {
  var low: SIMD16<Int16>
  var high: SIMD16<Int16>

  /// The same number in all channels.
  @inline(__always)
  init(_ number: Int16) {
    self.init(low: SIMD16(repeating: number), high: SIMD16(repeating: number))
  }

  @inline(__always)
  init(low: SIMD16<Int16>, high: SIMD16<Int16>) {
    self.low = low
    self.high = high
  }

  /// The bytes of pixels.
  @inline(__always)
  init(_ words: SIMD8<UInt32>) {
    let mask = SIMD8<UInt32>(repeating: 0x00ff_00ff)
    // Eight words of 32 bits are sixteen of 16.
    low = unsafe unsafeBitCast(words & mask, to: SIMD16<Int16>.self)
    high = unsafe unsafeBitCast((words &>> 8) & mask, to: SIMD16<Int16>.self)
  }

  @inline(__always)
  func minus(_ other: SplitBytes) -> SplitBytes {
    SplitBytes(low: low &- other.low, high: high &- other.high)
  }

  /// All multiplied by a power of two.
  @inline(__always)
  func scaled(by factor: Int16) -> SplitBytes {
    SplitBytes(low: low &* factor, high: high &* factor)
  }

  /// Bytes mixed with others, in 1/16; the shares are of 256.
  @inline(__always)
  func sixteenths(_ shares: (UInt16, UInt16), _ other: SplitBytes) -> SplitBytes {
    @inline(__always) func mixed(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>) -> SIMD16<Int16> {
      // The products have sixteen bits without sign.
      let sum = unsafe unsafeBitCast(
        a &* Int16(bitPattern: shares.0) &+ b &* Int16(bitPattern: shares.1),
        to: SIMD16<UInt16>.self)
      return unsafe unsafeBitCast(sum &>> 4, to: SIMD16<Int16>.self)
    }
    return SplitBytes(low: mixed(low, other.low), high: mixed(high, other.high))
  }

  /// Sixteenths rounded to whole numbers.
  var rounded: SplitBytes {
    @inline(__always) get { SplitBytes(low: (low &+ 8) &>> 4, high: (high &+ 8) &>> 4) }
  }

  /// The sum of the squares of a pixel's channels, which are of a magnitude up to 255.
  var squaredLength: Lanes {
    @inline(__always) get {
      @inline(__always) func sums(_ channels: SIMD16<Int16>) -> SIMD8<UInt32> {
        // The squares have sixteen bits without sign.
        let squares = unsafe unsafeBitCast(channels &* channels, to: SIMD8<UInt32>.self)
        return (squares & SIMD8(repeating: 0xffff)) &+ (squares &>> 16)
      }
      // The bits of 2²³ plus the sum; the conversion of the SIMD type goes lane by lane.
      let bits = (sums(low) &+ sums(high)) | SIMD8(repeating: 0x4b00_0000)
      return Lanes(unsafe unsafeBitCast(bits, to: SIMD8<Float>.self)) - 8_388_608
    }
  }

  /// Adds other numbers, those of a pixel times its weight, which is below 1/2.
  @inline(__always)
  mutating func add(_ other: SplitBytes, weighted weight: Lanes) {
    // In 1/65536 in both halves of a word.
    let fixed = unsafe unsafeBitCast(
      (weight * 65536 + 8_388_608).bits & SIMD8(repeating: 0xffff), to: SIMD8<UInt32>.self)
    let weights = unsafe unsafeBitCast(fixed | fixed &<< 16, to: SIMD16<Int16>.self)
    low &+= km_signed_high_product(other.low, weights)
    high &+= km_signed_high_product(other.high, weights)
  }

  /// The words of these bytes plus other numbers, which are in 1/128 and divided by `total`.
  @inline(__always)
  func plus(_ sum: SplitBytes, over total: Lanes) -> SIMD8<UInt32> {
    let share = (1 / 128) / total
    @inline(__always) func quotients(_ sums: SIMD16<Int16>) -> SIMD16<Int16> {
      let pairs = unsafe unsafeBitCast(sums, to: SIMD8<Int32>.self)
      // 1.5·2²³ has room for numbers of both signs in its lowest bits.
      let magic = SIMD8<Int32>(repeating: 0x4b40_0000)
      @inline(__always) func quotient(_ sum: SIMD8<Int32>) -> SIMD8<Int32> {
        let number = Lanes(bits: sum &+ magic) - 12_582_912
        return (number * share + 12_582_912).bits & SIMD8(repeating: 0xffff)
      }
      let (first, second) = (quotient((pairs &<< 16) &>> 16), quotient(pairs &>> 16))
      return unsafe unsafeBitCast(first | second &<< 16, to: SIMD16<Int16>.self)
    }
    let (low, high) = (low &+ quotients(sum.low), high &+ quotients(sum.high))
    let (lowWords, highWords) = unsafe (
      unsafeBitCast(low, to: SIMD8<UInt32>.self), unsafeBitCast(high, to: SIMD8<UInt32>.self)
    )
    return lowWords | highWords &<< 8
  }
}

extension RawSpan {
  /// The words of eight pixels from `offset` on, which is not checked.
  @unsafe @inline(__always)
  func pixelWords(at offset: Int) -> SIMD8<UInt32> {
    unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD8<UInt32>.self)
  }
}
