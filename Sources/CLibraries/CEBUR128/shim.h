#pragma once
#include <ebur128.h>

// The mode is an enumeration in the header and an integer in the calls.
static const int km_loudness_and_peak = EBUR128_MODE_I | EBUR128_MODE_TRUE_PEAK;
static const int km_peak_alone = EBUR128_MODE_TRUE_PEAK;
static const int km_loudness_alone = EBUR128_MODE_I;
