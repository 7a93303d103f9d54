// Counts what a program allocates, by taking the place of the C library's functions in it.
#include "CAllocations.h"

#include <malloc.h>
#include <stdatomic.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

// Atomic because what runs before `main` may have threads.
static atomic_long count, held, peak, held_at_reset;

static void *allocated(void *memory) {
  if (!memory) return memory;
  atomic_fetch_add(&count, 1);
  const long now = atomic_fetch_add(&held, (long)malloc_usable_size(memory)) +
                   (long)malloc_usable_size(memory);
  if (now > atomic_load(&peak)) atomic_store(&peak, now);
  return memory;
}

static void freed(void *memory) {
  if (memory) atomic_fetch_sub(&held, (long)malloc_usable_size(memory));
}

void *malloc(size_t size) { return allocated(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return allocated(__libc_calloc(number, size)); }

void *realloc(void *memory, size_t size) {
  freed(memory);
  return allocated(__libc_realloc(memory, size));
}

void *memalign(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory ? 0 : 12;  // ENOMEM
}

void free(void *memory) {
  freed(memory);
  __libc_free(memory);
}

void km_allocations_reset(void) {
  atomic_store(&count, 0);
  atomic_store(&held_at_reset, atomic_load(&held));
  atomic_store(&peak, atomic_load(&held));
}

km_allocations km_allocations_so_far(void) {
  return (km_allocations){atomic_load(&count), atomic_load(&peak) - atomic_load(&held_at_reset)};
}
