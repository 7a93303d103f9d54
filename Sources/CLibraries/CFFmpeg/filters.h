#pragma once
#include <dlfcn.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/avstring.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libavfilter is loaded, not linked: in Debian it brings OpenBLAS and 160 other libraries, which few
// clips need. Its headers give the types of what is looked up.
#define KM_FILTER_FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(avfilter_graph_alloc)                                                                   \
  FUNCTION(avfilter_graph_free)                                                                    \
  FUNCTION(avfilter_get_by_name)                                                                   \
  FUNCTION(avfilter_graph_create_filter)                                                           \
  FUNCTION(avfilter_inout_alloc)                                                                   \
  FUNCTION(avfilter_inout_free)                                                                    \
  FUNCTION(avfilter_graph_parse_ptr)                                                               \
  FUNCTION(avfilter_graph_config)                                                                  \
  FUNCTION(av_buffersrc_add_frame_flags)                                                           \
  FUNCTION(av_buffersink_get_frame)                                                                \
  FUNCTION(av_buffersink_get_time_base)

typedef struct km_filter_functions {
#define KM_DECLARE(name) __typeof__(name) *_Nonnull name;
  KM_FILTER_FUNCTIONS(KM_DECLARE)
#undef KM_DECLARE
} km_filter_functions;

// The name under which the major version of our headers is installed.
#define KM_QUOTED(text) #text
#define KM_LIBRARY_NAME(major) "libavfilter.so." KM_QUOTED(major)
static const char *_Nonnull const km_filter_library = KM_LIBRARY_NAME(LIBAVFILTER_VERSION_MAJOR);

// Opens the library as its dependencies can be borne. OpenBLAS starts a thread for each core while it is
// loaded, with 140 MB of stack and workspace: it is told to start none. It reads that from the
// environment, of which it gets another one; setenv() would move the true one under the feet of threads
// that read it. Whatever threads are started all the same block every signal for good, since a signal
// may go to any thread that does not.
static inline void *_Nullable km_open_filter_library(void) {
  char **environment = __environ;
  size_t count = 0;
  while (environment && environment[count]) count++;
  // Never freed: who has looked up the environment meanwhile may still read it.
  char **narrowed = malloc((count + 2) * sizeof *narrowed);
  if (!narrowed) return NULL;
  // The first of two entries counts.
  narrowed[0] = "OPENBLAS_NUM_THREADS=1";
  for (size_t index = 0; index < count; index++) narrowed[index + 1] = environment[index];
  narrowed[count + 1] = NULL;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  __environ = narrowed;
  void *library = dlopen(km_filter_library, RTLD_NOW | RTLD_LOCAL);
  __environ = environment;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return library;
}

// Fills in `functions`; where that cannot be, tells why in `reason`, and gives 0.
static inline int km_load_filters(km_filter_functions *_Nonnull functions, char *_Nonnull reason,
                                  size_t capacity) {
  void *library = km_open_filter_library();
  int is_complete = library != NULL;
#define KM_LOOK_UP(name)                                                                           \
  if (is_complete) {                                                                               \
    void *address = dlsym(library, #name);                                                         \
    is_complete = address != NULL;                                                                 \
    memcpy((void *)&functions->name, &address, sizeof address);                                    \
  }
  KM_FILTER_FUNCTIONS(KM_LOOK_UP)
#undef KM_LOOK_UP
  if (is_complete) return 1;
  const char *error = dlerror();
  av_strlcpy(reason, error ? error : "out of memory", capacity);
  // The library stays: what it has started may run on.
  return 0;
}
