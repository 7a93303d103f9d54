#pragma once
#include <stddef.h>

/// What a program's allocations came to since `km_allocations_reset`.
typedef struct {
  /// How many there were.
  long count;
  /// The most bytes that were held at once, less those held at the reset.
  long peak;
} km_allocations;

/// Begins to count anew.
void km_allocations_reset(void);

/// What was counted; of a program with one thread.
km_allocations km_allocations_so_far(void);
