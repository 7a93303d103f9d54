// What SIMD types lack, made of operations that become one or two instructions of the oldest 64-bit
// processors each: their own `min`, `max`, `clamped` and conversions from floating point do not.

extension SIMD8<Int16> {
  /// The high half of 32-bit products.
  @inline(always)
  func highHalf(times other: Self) -> Self {
    var high = Self()
    for lane in 0..<8 {
      high[lane] = Int16(truncatingIfNeeded: (Int32(self[lane]) &* Int32(other[lane])) &>> 16)
    }
    return high
  }

  /// The lesser of each two.
  @inline(always)
  func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

  /// The greater of each two.
  @inline(always)
  func greater(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

  /// All bits where a number is less than another, else none.
  @inline(always)
  func flags(below other: Self) -> Self {
    Self.zero.replacing(with: Self(repeating: -1), where: self .< other)
  }

  /// The numbers, clamped to `0...255`.
  @inline(always)
  var clampedToByte: Self { greater(.zero).lesser(Self(repeating: 255)) }

  /// The numbers as floating point.
  ///
  /// Made in the low bits of 1.5·2²³, because the type's own conversion is a call.
  @inline(always)
  var floats: SIMD8<Float> {
    let bits = SIMD8<Int32>(truncatingIfNeeded: self) &+ 0x4b40_0000
    return unsafe unsafeBitCast(bits, to: SIMD8<Float>.self) - 12_582_912
  }
}

extension SIMD8<UInt8> {
  /// The numbers in 16 bits.
  @inline(always)
  var words: SIMD8<Int16> { SIMD8<Int16>(truncatingIfNeeded: self) }

  /// 255 where a number equals another, else 0.
  @inline(always)
  func flags(equal other: Self) -> Self {
    Self.zero.replacing(with: Self(repeating: 255), where: self .== other)
  }

  /// The lesser of each two.
  @inline(always)
  func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

  /// The greater of each two.
  @inline(always)
  func greater(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

  /// Whether all bits are clear.
  @inline(always)
  var isClear: Bool {
    // Safe: the same bytes as another integer.
    unsafe unsafeBitCast(self, to: UInt64.self) == 0
  }

  /// All bits of a word for 255, none for 0.
  @inline(always)
  var wordFlags: SIMD8<UInt32> {
    SIMD8<UInt32>(
      truncatingIfNeeded: SIMD8<Int32>(
        truncatingIfNeeded: SIMD8<Int8>(truncatingIfNeeded: self)))
  }
}

extension SIMD8<UInt32> {
  /// Puts others in the place of those whose flags' bits are all set.
  @inline(always)
  mutating func set(_ others: Self, where flags: Self) {
    self = self & ~flags | others & flags
  }

  /// All bits where a number equals another, else none.
  @inline(always)
  func flags(equal other: Self) -> Self {
    Self.zero.replacing(with: Self(repeating: .max), where: self .== other)
  }

  /// The sum of all.
  @inline(always)
  var total: UInt32 {
    let four = lowHalf &+ highHalf
    return four.x &+ four.y &+ four.z &+ four.w
  }
}

extension SIMD16<UInt8> {
  /// Every second number from the first on.
  @inline(always)
  var evenWords: SIMD8<Int16> {
    // Safe: the same bytes as other integers.
    SIMD8<Int16>(
      truncatingIfNeeded: unsafe unsafeBitCast(self, to: SIMD8<UInt16>.self) & 0xff)
  }

  /// Every second number from the second on.
  @inline(always)
  var oddWords: SIMD8<Int16> {
    SIMD8<Int16>(truncatingIfNeeded: unsafe unsafeBitCast(self, to: SIMD8<UInt16>.self) &>> 8)
  }

  /// The lesser of each two.
  @inline(always)
  func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

  /// The greater of each two.
  @inline(always)
  func greater(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

  /// 255 where a number is at least this one, else 0.
  @inline(always)
  func flags(from least: UInt8) -> Self {
    greater(Self(repeating: least)).flags(equal: self)
  }

  /// 255 where a number equals another, else 0.
  @inline(always)
  func flags(equal other: Self) -> Self {
    Self.zero.replacing(with: Self(repeating: 255), where: self .== other)
  }

  /// Whether all bits are clear.
  @inline(always)
  var isClear: Bool {
    let halves = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves.x | halves.y == 0
  }

  /// Whether all bits are set.
  @inline(always)
  var isFull: Bool {
    let halves = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves.x & halves.y == .max
  }
}

extension SIMD8<Float> {
  private var bits: SIMD8<Int32> {
    @inline(always) get { unsafe unsafeBitCast(self, to: SIMD8<Int32>.self) }
  }

  /// The numbers, 0 where they are negative.
  @inline(always)
  var positivePart: Self { greater(.zero) }

  /// The numbers without their sign.
  @inline(always)
  var magnitude: Self { unsafe unsafeBitCast(bits & 0x7fff_ffff, to: Self.self) }

  /// The numbers, clamped to 0…`most`.
  @inline(always)
  func clamped(to most: Float) -> Self { positivePart.lesser(Self(repeating: most)) }

  /// The lesser of each two.
  @inline(always)
  func lesser(_ other: Self) -> Self { other.replacing(with: self, where: self .< other) }

  /// The greater of each two.
  @inline(always)
  func greater(_ other: Self) -> Self { other.replacing(with: self, where: self .> other) }

  /// The square roots of numbers that are not negative, to three digits.
  ///
  /// By the reciprocal root from the exponent's half and a step of Newton's method; the type's own
  /// root is taken lane by lane.
  @inline(always)
  var root: Self {
    let guess = unsafe unsafeBitCast(0x5f37_5a86 &- (bits &>> 1), to: Self.self)
    return self * guess * (1.5 - 0.5 * self * guess * guess)
  }

  /// Numbers within ±2²² as the nearest integers' low 16 bits.
  @inline(always)
  var roundedWords: SIMD8<Int16> { SIMD8<Int16>(truncatingIfNeeded: (self + 12_582_912).bits) }

  /// All bits where a number is less than another, else none.
  @inline(always)
  func flags(below other: Self) -> SIMD8<UInt32> {
    SIMD8<UInt32>(truncatingIfNeeded: (self - other).bits &>> 31)
  }

  /// The numbers where all bits of a flag are set, 0 elsewhere.
  @inline(always)
  func masked(_ flags: SIMD8<UInt32>) -> Self {
    unsafe unsafeBitCast(unsafe unsafeBitCast(self, to: SIMD8<UInt32>.self) & flags, to: Self.self)
  }

  /// The sum of all.
  @inline(always)
  var total: Float {
    let four = lowHalf + highHalf
    return (four.x + four.y) + (four.z + four.w)
  }

  /// Numbers 0…255 as the nearest integers.
  @inline(always)
  var roundedBytes: SIMD8<UInt32> {
    unsafe unsafeBitCast(self + 8_388_608, to: SIMD8<UInt32>.self) & 0xff
  }
}
