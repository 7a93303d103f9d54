// The same numbers in other widths and places.
#pragma once

#include "types.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

/// The same numbers in other widths; what does not fit loses its upper bits.
KM_VECTOR km_short8 km_shorts(km_byte8 a) { return __builtin_convertvector(a, km_short8); }
KM_VECTOR km_byte8 km_low_bytes(km_short8 a) {
  return __builtin_convertvector((km_ushort8)a, km_byte8);
}
KM_VECTOR km_short8 km_low_shorts(km_int8 a) { return __builtin_convertvector(a, km_short8); }
KM_VECTOR km_uint8 km_word_flags(km_byte8 a) {
  return (km_uint8)__builtin_convertvector((km_char8)a, km_int8);
}
KM_VECTOR km_float8 km_floats(km_short8 a) { return __builtin_convertvector(a, km_float8); }
KM_VECTOR km_float8 km_int_floats(km_int8 a) { return __builtin_convertvector(a, km_float8); }

/// The words of lower and upper halves.
KM_VECTOR km_uint8 km_joined(km_short8 low, km_short8 high) {
  return __builtin_convertvector((km_ushort8)low, km_uint8) |
         __builtin_convertvector((km_ushort8)high, km_uint8) << 16;
}

/// The words of two vectors, one of each in turn.
KM_VECTOR km_uint16 km_interleaved(km_uint8 even, km_uint8 odd) {
  return __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// The same number eight times.
KM_VECTOR km_float8 km_repeated_float(float x) { return (km_float8)x; }
KM_VECTOR km_uint8 km_repeated_word(uint32_t x) { return (km_uint8)x; }

#pragma clang diagnostic pop
