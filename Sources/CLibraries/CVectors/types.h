// Vectors of numbers, and what all functions on them have in common.
#pragma once

#include <stdint.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

// All of it is inlined, so that there is no calling convention to be kept.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

#define KM_VECTOR static inline __attribute__((always_inline, const))

typedef uint8_t km_byte16 __attribute__((ext_vector_type(16)));
typedef uint8_t km_byte32 __attribute__((ext_vector_type(32)));
typedef int16_t km_short16 __attribute__((ext_vector_type(16)));
typedef uint16_t km_ushort16 __attribute__((ext_vector_type(16)));
typedef int32_t km_int8 __attribute__((ext_vector_type(8)));
typedef uint32_t km_uint8 __attribute__((ext_vector_type(8)));
typedef int32_t km_int16 __attribute__((ext_vector_type(16)));
typedef uint32_t km_uint16 __attribute__((ext_vector_type(16)));
typedef float km_float8 __attribute__((ext_vector_type(8)));
typedef int8_t km_char8 __attribute__((ext_vector_type(8)));
typedef uint8_t km_byte8 __attribute__((ext_vector_type(8)));
typedef int16_t km_short8 __attribute__((ext_vector_type(8)));
typedef uint16_t km_ushort8 __attribute__((ext_vector_type(8)));

#pragma clang diagnostic pop
