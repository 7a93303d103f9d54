#pragma once
#include <errno.h>
#include <sqlite3.h>
#include <sys/vfs.h>

// SQLITE_TRANSIENT, a cast of -1 to a function pointer, is no constant that Swift can import.
static inline int km_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 size) {
  return sqlite3_bind_text64(statement, index, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int km_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 size) {
  return sqlite3_bind_blob64(statement, index, bytes, size, SQLITE_TRANSIENT);
}

// Spares each allocation the count that nobody asks for, and its lock; must come before any other
// call. sqlite3_config is variadic, which Swift cannot import.
static inline int km_forgo_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// The magic number of the file system that holds `path`, or minus errno.
static inline long long km_file_system_type(const char *path) {
  struct statfs facts;
  if (statfs(path, &facts) != 0) return -errno;
  return (long long)(unsigned int)facts.f_type;
}
