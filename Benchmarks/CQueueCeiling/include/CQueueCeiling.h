#pragma once
#include <stdbool.h>

// The least that a durable job table on SQLite can cost: one table, three partial indexes, prepared
// statements, no checks, no library; bare, or with a row of history for each change of a job, as
// keymill keeps it. What keymill's queue is measured against.

typedef struct Ceiling Ceiling;

// A new table; its commits wait for the disk where keymill's do. NULL when it cannot be made.
Ceiling *ceiling_open(const char *path, bool keeps_history);
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
