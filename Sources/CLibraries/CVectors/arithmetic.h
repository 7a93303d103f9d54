// Numbers with numbers: what is lesser, sums that saturate, high halves of products, comparisons, bits.
#pragma once

#include "types.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

/// `a` where the bits of `mask` are set, else `b`.
KM_VECTOR km_float8 km_select(km_int8 mask, km_float8 a, km_float8 b) {
  return (km_float8)((mask & (km_int8)a) | (~mask & (km_int8)b));
}

/// The lesser of each two; where either is NaN, `b`.
KM_VECTOR km_float8 km_lesser(km_float8 a, km_float8 b) {
#ifdef __AVX2__
  return (km_float8)_mm256_min_ps((__m256)a, (__m256)b);
#else
  return km_select(a < b, a, b);
#endif
}

/// The greater of each two; where either is NaN, `b`.
KM_VECTOR km_float8 km_greater(km_float8 a, km_float8 b) {
#ifdef __AVX2__
  return (km_float8)_mm256_max_ps((__m256)a, (__m256)b);
#else
  return km_select(a > b, a, b);
#endif
}

/// The square roots; NaN of negative numbers.
KM_VECTOR km_float8 km_square_root(km_float8 x) { return __builtin_elementwise_sqrt(x); }

/// The upper sixteen bits of the products.
KM_VECTOR km_ushort16 km_high_product(km_ushort16 a, km_ushort16 b) {
#ifdef __AVX2__
  return (km_ushort16)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
#else
  const km_uint16 product =
      __builtin_convertvector(a, km_uint16) * __builtin_convertvector(b, km_uint16);
  return __builtin_convertvector(product >> 16, km_ushort16);
#endif
}

/// The upper sixteen bits of the products of numbers with signs.
KM_VECTOR km_short16 km_signed_high_product(km_short16 a, km_short16 b) {
#ifdef __AVX2__
  return (km_short16)_mm256_mulhi_epi16((__m256i)a, (__m256i)b);
#else
  const km_int16 product =
      __builtin_convertvector(a, km_int16) * __builtin_convertvector(b, km_int16);
  return __builtin_convertvector(product >> 16, km_short16);
#endif
}

/// The sums, but the greatest number where they exceed it.
KM_VECTOR km_ushort16 km_saturated_sum(km_ushort16 a, km_ushort16 b) {
  return __builtin_elementwise_add_sat(a, b);
}

/// The sums, but 255 where they exceed it.
KM_VECTOR km_byte32 km_saturated_byte_sum(km_byte32 a, km_byte32 b) {
  return __builtin_elementwise_add_sat(a, b);
}

/// The differences, but 0 where `b` is greater.
KM_VECTOR km_byte32 km_excess(km_byte32 a, km_byte32 b) {
  return __builtin_elementwise_sub_sat(a, b);
}

/// The lesser of each two.
KM_VECTOR km_ushort16 km_lesser_ushorts(km_ushort16 a, km_ushort16 b) {
  return __builtin_elementwise_min(a, b);
}
KM_VECTOR km_byte32 km_lesser_bytes(km_byte32 a, km_byte32 b) {
  return __builtin_elementwise_min(a, b);
}

/// `a` where the sum is at least the bound, else `b`.
KM_VECTOR km_ushort16 km_select_at_least(km_ushort16 sum, km_ushort16 bound, km_ushort16 a,
                                         km_ushort16 b) {
  return sum >= bound ? a : b;
}

/// Whether all the bits of `mask` are set in all words.
KM_VECTOR int km_all_set(km_uint8 words, uint32_t mask) {
#ifdef __AVX2__
  return _mm256_testc_si256((__m256i)words, _mm256_set1_epi32((int32_t)mask));
#else
  return !__builtin_reduce_or(~words & mask);
#endif
}

/// The greater of each two.
KM_VECTOR km_byte32 km_greater_bytes(km_byte32 a, km_byte32 b) {
  return __builtin_elementwise_max(a, b);
}

/// The upper sixteen bits of the products of numbers with signs.
KM_VECTOR km_short8 km_high_half(km_short8 a, km_short8 b) {
#ifdef __SSE2__
  return (km_short8)_mm_mulhi_epi16((__m128i)a, (__m128i)b);
#else
  const km_int8 product =
      __builtin_convertvector(a, km_int8) * __builtin_convertvector(b, km_int8);
  return __builtin_convertvector(product >> 16, km_short8);
#endif
}

/// The lesser and the greater of each two.
KM_VECTOR km_short8 km_lesser_shorts(km_short8 a, km_short8 b) {
  return __builtin_elementwise_min(a, b);
}
KM_VECTOR km_short8 km_greater_shorts(km_short8 a, km_short8 b) {
  return __builtin_elementwise_max(a, b);
}
KM_VECTOR km_byte8 km_lesser_byte8(km_byte8 a, km_byte8 b) {
  return __builtin_elementwise_min(a, b);
}
KM_VECTOR km_byte8 km_greater_byte8(km_byte8 a, km_byte8 b) {
  return __builtin_elementwise_max(a, b);
}
KM_VECTOR km_byte16 km_lesser_byte16(km_byte16 a, km_byte16 b) {
  return __builtin_elementwise_min(a, b);
}
KM_VECTOR km_byte16 km_greater_byte16(km_byte16 a, km_byte16 b) {
  return __builtin_elementwise_max(a, b);
}

/// All bits where `a` is less than `b`, or equal to it, else none.
KM_VECTOR km_short8 km_below_shorts(km_short8 a, km_short8 b) { return a < b; }
KM_VECTOR km_byte8 km_equal_byte8(km_byte8 a, km_byte8 b) { return (km_byte8)(a == b); }
KM_VECTOR km_byte16 km_equal_byte16(km_byte16 a, km_byte16 b) { return (km_byte16)(a == b); }
KM_VECTOR km_uint8 km_equal_words(km_uint8 a, km_uint8 b) { return (km_uint8)(a == b); }

/// Sums, differences, products and quotients.
KM_VECTOR km_float8 km_sum(km_float8 a, km_float8 b) { return a + b; }
KM_VECTOR km_float8 km_difference(km_float8 a, km_float8 b) { return a - b; }
KM_VECTOR km_float8 km_product(km_float8 a, km_float8 b) { return a * b; }
KM_VECTOR km_float8 km_quotient(km_float8 a, km_float8 b) { return a / b; }

/// The bits that both have, or either.
KM_VECTOR km_uint8 km_common_bits(km_uint8 a, km_uint8 b) { return a & b; }
KM_VECTOR km_uint8 km_all_bits(km_uint8 a, km_uint8 b) { return a | b; }

#pragma clang diagnostic pop
