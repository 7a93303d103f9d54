// Between channels and the words of pixels; tables; loads from places of their own.
#pragma once

#include <string.h>

#include "arithmetic.h"
#include "types.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

#ifdef __AVX2__
/// Rows and columns exchanged of the four by four bytes in each half.
KM_VECTOR __m256i km_exchanged(__m256i bytes) {
  const __m256i order = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4,
                                         8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm256_shuffle_epi8(bytes, order);
}
#endif

/// The little-endian words of pixels of four channels in codes: clamped to 0...255, rounded, ties to
/// even; 0 for NaN.
KM_VECTOR km_uint8 km_words(km_float8 red, km_float8 green, km_float8 blue, km_float8 alpha) {
#ifdef __AVX2__
  // Of (255, NaN) the lesser is NaN, which becomes the least integer, and 0 when it is packed.
  const __m256 most = _mm256_set1_ps(255);
  const __m256i r = _mm256_cvtps_epi32(_mm256_min_ps(most, (__m256)red));
  const __m256i g = _mm256_cvtps_epi32(_mm256_min_ps(most, (__m256)green));
  const __m256i b = _mm256_cvtps_epi32(_mm256_min_ps(most, (__m256)blue));
  const __m256i a = _mm256_cvtps_epi32(_mm256_min_ps(most, (__m256)alpha));
  const __m256i planes =
      _mm256_packus_epi16(_mm256_packs_epi32(r, g), _mm256_packs_epi32(b, a));
  return (km_uint8)km_exchanged(planes);
#else
  // The sum has no bits left for a fraction; those above the code are gone when it is shifted.
#define KM_CODE(channel) \
  ((km_uint8)(km_lesser(km_greater(channel, (km_float8)0.0f), (km_float8)255.0f) + 8388608.0f))
  return (KM_CODE(red) & 0xff) | ((KM_CODE(green) & 0xff) << 8) | ((KM_CODE(blue) & 0xff) << 16) |
         (KM_CODE(alpha) << 24);
#undef KM_CODE
#endif
}

/// The codes in four vectors as bytes: clamped, rounded and NaN as in `km_words`.
KM_VECTOR km_byte32 km_bytes(km_float8 a, km_float8 b, km_float8 c, km_float8 d) {
#ifdef __AVX2__
  const __m256 most = _mm256_set1_ps(255);
  const __m256i first = _mm256_cvtps_epi32(_mm256_min_ps(most, (__m256)a));
  const __m256i second = _mm256_cvtps_epi32(_mm256_min_ps(most, (__m256)b));
  const __m256i third = _mm256_cvtps_epi32(_mm256_min_ps(most, (__m256)c));
  const __m256i fourth = _mm256_cvtps_epi32(_mm256_min_ps(most, (__m256)d));
  const __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(first, second),
                                            _mm256_packs_epi32(third, fourth));
  // Packed half by half: four bytes of every vector, and again.
  return (km_byte32)_mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#else
  km_byte32 result;
  const km_float8 vectors[4] = {a, b, c, d};
  for (int vector = 0; vector < 4; vector++) {
    const km_uint8 codes = km_words(vectors[vector], a, a, a);
    for (int lane = 0; lane < 8; lane++) result[8 * vector + lane] = (uint8_t)codes[lane];
  }
  return result;
#endif
}

/// The entries of a table of 256 bytes for each byte of `index`.
static inline __attribute__((always_inline, pure)) km_byte32 km_look_up(
    km_byte32 index, const km_byte16 *_Nonnull table) {
#ifdef __AVX2__
  // Sixteen rows of sixteen: all are looked up by the lower half of the index, and of each two one is
  // chosen by a bit of the upper half, four times.
  const __m256i low = _mm256_and_si256((__m256i)index, _mm256_set1_epi8(15));
  const __m256i bit4 = _mm256_slli_epi16((__m256i)index, 3);
  const __m256i bit5 = _mm256_slli_epi16((__m256i)index, 2);
  const __m256i bit6 = _mm256_add_epi8((__m256i)index, (__m256i)index);
#define KM_ROW(row) _mm256_shuffle_epi8(_mm256_broadcastsi128_si256((__m128i)table[row]), low)
#define KM_TWO(row) _mm256_blendv_epi8(KM_ROW(row), KM_ROW(row + 1), bit4)
#define KM_FOUR(row) _mm256_blendv_epi8(KM_TWO(row), KM_TWO(row + 2), bit5)
#define KM_EIGHT(row) _mm256_blendv_epi8(KM_FOUR(row), KM_FOUR(row + 4), bit6)
  return (km_byte32)_mm256_blendv_epi8(KM_EIGHT(0), KM_EIGHT(8), (__m256i)index);
#undef KM_EIGHT
#undef KM_FOUR
#undef KM_TWO
#undef KM_ROW
#else
  const uint8_t *entries = (const uint8_t *)table;
  km_byte32 result;
  for (int lane = 0; lane < 32; lane++) result[lane] = entries[index[lane]];
  return result;
#endif
}

/// A channel (0 red ... 3 alpha) of 32 pixels in four vectors of words, in an order that `km_pixels`
/// undoes.
KM_VECTOR km_byte32 km_channel(km_uint8 a, km_uint8 b, km_uint8 c, km_uint8 d, int channel) {
#ifdef __AVX2__
  // In each half first four bytes of every channel of a vector, then of two vectors, then of four.
  const __m256i first = km_exchanged((__m256i)a), second = km_exchanged((__m256i)b);
  const __m256i third = km_exchanged((__m256i)c), fourth = km_exchanged((__m256i)d);
  const __m256i low = channel < 2 ? _mm256_unpacklo_epi32(first, second)
                                  : _mm256_unpackhi_epi32(first, second);
  const __m256i high = channel < 2 ? _mm256_unpacklo_epi32(third, fourth)
                                   : _mm256_unpackhi_epi32(third, fourth);
  return (km_byte32)(channel % 2 == 0 ? _mm256_unpacklo_epi64(low, high)
                                      : _mm256_unpackhi_epi64(low, high));
#else
  km_byte32 result;
  for (int lane = 0; lane < 8; lane++) {
    result[lane] = (uint8_t)(a[lane] >> (8 * channel));
    result[lane + 8] = (uint8_t)(b[lane] >> (8 * channel));
    result[lane + 16] = (uint8_t)(c[lane] >> (8 * channel));
    result[lane + 24] = (uint8_t)(d[lane] >> (8 * channel));
  }
  return result;
#endif
}

/// One (0...3) of the four vectors of words that the channels of 32 pixels were taken from.
KM_VECTOR km_uint8 km_pixels(km_byte32 red, km_byte32 green, km_byte32 blue, km_byte32 alpha,
                             int vector) {
#ifdef __AVX2__
  const __m256i low = vector < 2 ? _mm256_unpacklo_epi32((__m256i)red, (__m256i)green)
                                 : _mm256_unpackhi_epi32((__m256i)red, (__m256i)green);
  const __m256i high = vector < 2 ? _mm256_unpacklo_epi32((__m256i)blue, (__m256i)alpha)
                                  : _mm256_unpackhi_epi32((__m256i)blue, (__m256i)alpha);
  const __m256i planes =
      vector % 2 == 0 ? _mm256_unpacklo_epi64(low, high) : _mm256_unpackhi_epi64(low, high);
  return (km_uint8)km_exchanged(planes);
#else
  km_uint8 result;
  for (int lane = 0; lane < 8; lane++) {
    const int place = 8 * vector + lane;
    result[lane] = (uint32_t)red[place] | (uint32_t)green[place] << 8 |
                   (uint32_t)blue[place] << 16 | (uint32_t)alpha[place] << 24;
  }
  return result;
#endif
}

/// Loads the words of eight pixels at byte offsets from `base`, or of those that follow them; both must
/// be in memory. Where both are wanted the loads are made once.
static inline __attribute__((always_inline, pure)) km_uint8 km_load_words(
    const uint8_t *_Nonnull base, km_int8 offsets, int following) {
#ifdef __AVX2__
#define KM_PAIR(lane) _mm_loadl_epi64((const __m128i *)(base + offsets[lane]))
#define KM_PAIRS(a, b) _mm_unpacklo_epi64(KM_PAIR(a), KM_PAIR(b))
  // In an order that one shuffle of both parts into firsts and seconds.
  __m256i even = _mm256_setr_m128i(KM_PAIRS(0, 1), KM_PAIRS(4, 5));
  __m256i odd = _mm256_setr_m128i(KM_PAIRS(2, 3), KM_PAIRS(6, 7));
#undef KM_PAIRS
#undef KM_PAIR
  // Else the compiler looks through the loads, and computes with single lanes what depends on them.
  __asm__("" : "+x"(even), "+x"(odd));
  const __m256 first = (__m256)even, second = (__m256)odd;
  return (km_uint8)(following ? _mm256_shuffle_ps(first, second, 0xdd)
                              : _mm256_shuffle_ps(first, second, 0x88));
#else
  km_uint8 result;
  for (int lane = 0; lane < 8; lane++) {
    uint32_t word;
    memcpy(&word, base + offsets[lane] + (following ? 4 : 0), sizeof word);
    result[lane] = word;
  }
  return result;
#endif
}

#pragma clang diagnostic pop
