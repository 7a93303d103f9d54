import CVectors

// The operators of Swift's own SIMD types are loops over lanes. The compiler turns most of them into
// instructions for eight lanes, but tears others into halves, pairs and single lanes. In this module these
// stand in for them, with the same results.

extension SIMD8<Float> {
  /// The sums.
  @inline(always)
  static func + (a: Self, b: Self) -> Self { km_sum(a, b) }
  /// The differences.
  @inline(always)
  static func - (a: Self, b: Self) -> Self { km_difference(a, b) }
  /// The products.
  @inline(always)
  static func * (a: Self, b: Self) -> Self { km_product(a, b) }
  /// The quotients.
  @inline(always)
  static func / (a: Self, b: Self) -> Self { km_quotient(a, b) }

  /// The sums with one number.
  @inline(always)
  static func + (a: Self, b: Float) -> Self { km_sum(a, km_repeated_float(b)) }
  /// The differences from one number.
  @inline(always)
  static func - (a: Self, b: Float) -> Self { km_difference(a, km_repeated_float(b)) }
  /// The products with one number.
  @inline(always)
  static func * (a: Self, b: Float) -> Self { km_product(a, km_repeated_float(b)) }
  /// The quotients by one number.
  @inline(always)
  static func / (a: Self, b: Float) -> Self { km_quotient(a, km_repeated_float(b)) }

  /// The sums with one number.
  @inline(always)
  static func + (a: Float, b: Self) -> Self { km_sum(km_repeated_float(a), b) }
  /// What one number is more.
  @inline(always)
  static func - (a: Float, b: Self) -> Self { km_difference(km_repeated_float(a), b) }
  /// The products with one number.
  @inline(always)
  static func * (a: Float, b: Self) -> Self { km_product(km_repeated_float(a), b) }
  /// One number by each.
  @inline(always)
  static func / (a: Float, b: Self) -> Self { km_quotient(km_repeated_float(a), b) }

  /// Adds others.
  @inline(always)
  static func += (a: inout Self, b: Self) { a = km_sum(a, b) }
}

extension SIMD8<UInt32> {
  /// The bits that both have.
  @inline(always)
  static func & (a: Self, b: Self) -> Self { km_common_bits(a, b) }
  /// The bits that either has.
  @inline(always)
  static func | (a: Self, b: Self) -> Self { km_all_bits(a, b) }
  /// The bits that each has of one number's.
  @inline(always)
  static func & (a: Self, b: UInt32) -> Self { km_common_bits(a, km_repeated_word(b)) }
  /// The bits of each, and those of one number.
  @inline(always)
  static func | (a: Self, b: UInt32) -> Self { km_all_bits(a, km_repeated_word(b)) }
}
