#pragma once
#include <stdbool.h>

// The least that a durable job table on SQLite can cost: prepared statements, no checks, no library.
// Either bare, one table with three partial indexes and no history, or with the same rows in the same
// tables as keymill. What keymill's queue is measured against.

typedef struct Ceiling Ceiling;

// Opens a table whose commits wait for the disk where keymill's do: a bare one is made, for the same
// rows the file is an empty queue of keymill's. NULL when it cannot be opened.
Ceiling *ceiling_open(const char *path, bool same_rows);
void ceiling_close(Ceiling *ceiling);

// Each returns whether SQLite did it.

// Submits jobs, each in a commit of its own.
bool ceiling_submit(Ceiling *ceiling, long count);
// Submits jobs in one commit.
bool ceiling_submit_together(Ceiling *ceiling, long count);
// Makes jobs that are due in the far future.
bool ceiling_schedule(Ceiling *ceiling, long count);
// Ends the jobs of the last round and claims as many again in one commit, until `count` jobs are
// through or none is left; with `batch` jobs in a round.
bool ceiling_drain(Ceiling *ceiling, int batch, long count);
