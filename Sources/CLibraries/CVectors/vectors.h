// Vector instructions that Swift's SIMD types cannot express: the compiler finds none of them in loops
// over lanes. Each has a plain form for processors without AVX2, with the same results.
#pragma once

#include "arithmetic.h"
#include "pixels.h"
#include "types.h"
#include "widths.h"
