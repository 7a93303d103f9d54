import CVectors

// What SIMD types lack as single instructions: their own `min`, `max`, `replacing`, `clamped` and
// conversions go lane by lane.

extension SIMD8<Int16> {
  /// The high half of 32-bit products.
  @inline(always)
  func highHalf(times other: Self) -> Self {
    km_high_half(self, other)
  }

  /// The lesser of each two.
  @inline(always)
  func lesser(_ other: Self) -> Self { km_lesser_shorts(self, other) }

  /// The greater of each two.
  @inline(always)
  func greater(_ other: Self) -> Self { km_greater_shorts(self, other) }

  /// All bits where a number is less than another, else none.
  @inline(always)
  func flags(below other: Self) -> Self { km_below_shorts(self, other) }

  /// The low bytes.
  @inline(always)
  var lowBytes: SIMD8<UInt8> { km_low_bytes(self) }

  /// The numbers, clamped to `0...255`.
  @inline(always)
  var clampedToByte: Self { greater(.zero).lesser(Self(repeating: 255)) }

  /// The numbers as floating point.
  @inline(always)
  var floats: SIMD8<Float> { km_floats(self) }
}

extension SIMD8<UInt8> {
  /// The numbers in 16 bits.
  @inline(always)
  var words: SIMD8<Int16> { km_shorts(self) }

  /// 255 where a number equals another, else 0.
  @inline(always)
  func flags(equal other: Self) -> Self { km_equal_byte8(self, other) }

  /// The lesser of each two.
  @inline(always)
  func lesser(_ other: Self) -> Self { km_lesser_byte8(self, other) }

  /// The greater of each two.
  @inline(always)
  func greater(_ other: Self) -> Self { km_greater_byte8(self, other) }

  /// Whether all bits are clear.
  @inline(always)
  var isClear: Bool {
    // Safe: the same bytes as another integer.
    unsafe unsafeBitCast(self, to: UInt64.self) == 0
  }

  /// All bits of a word for 255, none for 0.
  @inline(always)
  var wordFlags: SIMD8<UInt32> { km_word_flags(self) }
}

extension SIMD8<UInt32> {
  /// The low sixteen bits.
  @inline(always)
  var lowWords: SIMD8<Int16> {
    // Safe: the same bits as other integers.
    km_low_shorts(unsafe unsafeBitCast(self, to: SIMD8<Int32>.self))
  }

  /// The numbers, which are below 2³¹, as floating point.
  @inline(always)
  var floats: SIMD8<Float> { km_int_floats(unsafe unsafeBitCast(self, to: SIMD8<Int32>.self)) }

  /// Puts others in the place of those whose flags' bits are all set.
  @inline(always)
  mutating func set(_ others: Self, where flags: Self) {
    self = self & ~flags | others & flags
  }

  /// All bits where a number equals another, else none.
  @inline(always)
  func flags(equal other: Self) -> Self { km_equal_words(self, other) }

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
    unsafe unsafeBitCast(
      unsafe unsafeBitCast(self, to: SIMD8<UInt16>.self) & 0xff, to: SIMD8<Int16>.self)
  }

  /// Every second number from the second on.
  @inline(always)
  var oddWords: SIMD8<Int16> {
    unsafe unsafeBitCast(
      unsafe unsafeBitCast(self, to: SIMD8<UInt16>.self) &>> 8, to: SIMD8<Int16>.self)
  }

  /// The lesser of each two.
  @inline(always)
  func lesser(_ other: Self) -> Self { km_lesser_byte16(self, other) }

  /// The greater of each two.
  @inline(always)
  func greater(_ other: Self) -> Self { km_greater_byte16(self, other) }

  /// 255 where a number is at least this one, else 0.
  @inline(always)
  func flags(from least: UInt8) -> Self {
    greater(Self(repeating: least)).flags(equal: self)
  }

  /// 255 where a number equals another, else 0.
  @inline(always)
  func flags(equal other: Self) -> Self { km_equal_byte16(self, other) }

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
  func lesser(_ other: Self) -> Self { km_lesser(self, other) }

  /// The greater of each two.
  @inline(always)
  func greater(_ other: Self) -> Self { km_greater(self, other) }

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
  var roundedWords: SIMD8<Int16> { km_low_shorts((self + 12_582_912).bits) }

  /// All bits where a number is less than another, else none.
  @inline(always)
  func flags(below other: Self) -> SIMD8<UInt32> {
    unsafe unsafeBitCast((self - other).bits &>> 31, to: SIMD8<UInt32>.self)
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
}
