#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

// Libraries start threads while they are loaded (OpenBLAS does, far behind FFmpeg's filters), before
// anything of ours runs. The kernel gives a process's signal to any thread that does not block it, so
// such a thread would die of the SIGTERM that the main thread wants to read as data, and the process
// with it. What .preinit_array names runs before the first library: threads started from there until
// our own constructor, which runs after the last, block every signal for good.

static sigset_t mask_at_start;

static void block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &mask_at_start);
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(void) =
    block_signals;

__attribute__((constructor)) static void restore_signals(void) {
  pthread_sigmask(SIG_SETMASK, &mask_at_start, NULL);
}
