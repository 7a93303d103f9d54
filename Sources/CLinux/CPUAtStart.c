#include <unistd.h>

// A program built for x86-64-v3 (scripts/cpu) ends with SIGILL on an older processor. Here it says why.

#if defined(__x86_64__) && defined(__AVX2__)

static const char message[] =
    "keymill: built for processors with AVX2 (x86-64-v3), and this one has none; "
    "build it with: make build CPU=x86-64\n";

__attribute__((constructor(101), target("arch=x86-64"))) static void check_processor(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v3")) return;
  ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
  _exit(written < 0 ? 74 : 70);
}

#endif
