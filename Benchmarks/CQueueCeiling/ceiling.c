#include "CQueueCeiling.h"
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { most = 4096 };

// What a job is claimed and ended by. Parameters have the same numbers in both, so that one is read
// like the other; a statement leaves out those it has no use for.
typedef struct {
  const char *make, *insert, *select, *claim, *finish, *record, *count, *last;
} Language;

// One table, three partial indexes.
static const Language bare = {
  .make =
    "CREATE TABLE job (id INTEGER PRIMARY KEY, queue INTEGER NOT NULL DEFAULT 0,"
    " priority INTEGER NOT NULL DEFAULT 0, run_at INTEGER, state INTEGER NOT NULL,"
    " attempt INTEGER NOT NULL DEFAULT 0, lease_until INTEGER,"
    " worker INTEGER, done_at INTEGER, input TEXT NOT NULL, output TEXT NOT NULL) STRICT;"
    "CREATE INDEX job_ready ON job (queue, priority DESC, id) WHERE state = 2;"
    "CREATE INDEX job_due ON job (run_at) WHERE state = 1;"
    "CREATE INDEX job_lease ON job (lease_until) WHERE state = 3;",
  .insert = "INSERT INTO job (id, run_at, state, input, output) VALUES (?1, ?2, ?3, ?4, ?5)",
  .select = "SELECT id, attempt, 0, input, output FROM job WHERE state = 2 AND queue = 0"
    " ORDER BY priority DESC, id LIMIT ?1",
  .claim = "UPDATE job SET state = 3, attempt = ?1, worker = 1, lease_until = ?2 + 30000"
    " WHERE id = ?4",
  .finish = "UPDATE job SET state = 4, done_at = ?2, lease_until = NULL, worker = NULL"
    " WHERE id = ?4 AND attempt = ?1 AND worker = 1 AND state = 3",
  .last = "SELECT ifnull(max(id), 0), 0 FROM job",
};

// keymill's own tables, which a queue of keymill's has made in the file, and the same rows in them.
static const Language same = {
  .make =
    "INSERT OR IGNORE INTO queue (id, name) VALUES (1, 'default');"
    "INSERT OR IGNORE INTO recipe (id, digest, name, document) VALUES (1, 'd1', 'sprite', '{}');",
  .insert = "INSERT INTO job (id, queue, state, priority, max_attempts, due_at, last_event,"
    " created_at, recipe, input, output) VALUES (?1, 1, ?3, 0, 5, ?2, ?6, ?7, 1, ?4, ?5)",
  .select = "SELECT id, attempt, last_event, input, output FROM job INDEXED BY job_ready"
    " WHERE state = 2 AND queue = 1 ORDER BY priority DESC, id LIMIT ?1",
  .claim = "UPDATE job SET state = 3, attempt = ?1, worker = 1, lease_until = ?2 + 30000,"
    " started_at = ?2, last_event = ?3, due_at = NULL WHERE id = ?4",
  .finish = "UPDATE job SET state = 4, finished_at = ?2, progress = 1, last_event = ?3,"
    " worker = NULL, lease_until = NULL"
    " WHERE id = ?4 AND attempt = ?1 AND worker = 1 AND state = 3",
  .record = "INSERT INTO event (id, job_id, previous, at, attempt, kind, state)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
  .count = "INSERT INTO counter VALUES (1, 'completed', ?1)"
    " ON CONFLICT DO UPDATE SET value = value + excluded.value",
  .last = "SELECT (SELECT ifnull(max(id), 0) FROM job), (SELECT ifnull(max(id), 0) FROM event)",
};

struct Ceiling {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *insert, *select, *claim, *finish, *record, *count;
  sqlite3_int64 last_job, last_event;
  bool is_durable;
};

typedef struct { sqlite3_int64 job, attempt, event; } Claim;

static int64_t wall(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// Makes later commits wait for the disk, or not.
static bool set_durable(Ceiling *c, bool is_durable) {
  if (c->is_durable == is_durable) return true;
  c->is_durable = is_durable;
  const char *pragma = is_durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
  return sqlite3_exec(c->database, pragma, NULL, NULL, NULL) == SQLITE_OK;
}

static int prepare(Ceiling *c, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(c->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static bool read_last(Ceiling *c, const char *sql) {
  sqlite3_stmt *statement = NULL;
  bool is_read = !prepare(c, sql, &statement) && sqlite3_step(statement) == SQLITE_ROW;
  if (is_read) {
    c->last_job = sqlite3_column_int64(statement, 0);
    c->last_event = sqlite3_column_int64(statement, 1);
  }
  sqlite3_finalize(statement);
  return is_read;
}

Ceiling *ceiling_open(const char *path, bool same_rows) {
  const Language *l = same_rows ? &same : &bare;
  Ceiling *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->is_durable = true;
  const char *pragmas =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;"
    "PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF;";
  if (sqlite3_open_v2(path, &c->database,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)
      || sqlite3_exec(c->database, pragmas, NULL, NULL, NULL)
      || sqlite3_exec(c->database, l->make, NULL, NULL, NULL)
      || prepare(c, "BEGIN IMMEDIATE", &c->begin) || prepare(c, "COMMIT", &c->commit)
      || prepare(c, l->insert, &c->insert) || prepare(c, l->select, &c->select)
      || prepare(c, l->claim, &c->claim) || prepare(c, l->finish, &c->finish)
      || (l->record && prepare(c, l->record, &c->record))
      || (l->count && prepare(c, l->count, &c->count)) || !read_last(c, l->last)) {
    ceiling_close(c);
    return NULL;
  }
  return c;
}

void ceiling_close(Ceiling *c) {
  sqlite3_stmt *const statements[] = {
    c->begin, c->commit, c->insert, c->select, c->claim, c->finish, c->record, c->count};
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
    sqlite3_finalize(statements[i]);
  sqlite3_close(c->database);
  free(c);
}

// Runs a statement to its end; whether it worked.
static bool run(sqlite3_stmt *statement) {
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {}
  sqlite3_reset(statement);
  return code == SQLITE_DONE;
}

// Writes down what happened to a job, where history is kept, and makes it the job's last event.
static bool record_change(
  Ceiling *c, Claim *job, int64_t now, int kind, int state
) {
  if (!c->record) return true;
  sqlite3_bind_int64(c->record, 1, ++c->last_event);
  sqlite3_bind_int64(c->record, 2, job->job);
  if (job->event) sqlite3_bind_int64(c->record, 3, job->event);
  else sqlite3_bind_null(c->record, 3);
  sqlite3_bind_int64(c->record, 4, now);
  sqlite3_bind_int64(c->record, 5, job->attempt);
  sqlite3_bind_int(c->record, 6, kind);
  sqlite3_bind_int(c->record, 7, state);
  job->event = c->last_event;
  return run(c->record);
}

static bool insert_job(Ceiling *c, int64_t due, int state) {
  int64_t now = wall();
  Claim job = {.job = ++c->last_job};
  // The paths of a job of keymill's bench.
  char input[64], output[64];
  snprintf(input, sizeof input, "/srv/media/inbox/2025/camera/clip-%07ld.mp4", (long)job.job);
  snprintf(output, sizeof output, "/srv/media/published/clip-%07ld", (long)job.job);
  if (!record_change(c, &job, now, 0, state)) return false;
  sqlite3_bind_int64(c->insert, 1, job.job);
  if (due) sqlite3_bind_int64(c->insert, 2, due);
  else sqlite3_bind_null(c->insert, 2);
  sqlite3_bind_int(c->insert, 3, state);
  sqlite3_bind_text(c->insert, 4, input, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(c->insert, 5, output, -1, SQLITE_TRANSIENT);
  if (c->record) {
    sqlite3_bind_int64(c->insert, 6, job.event);
    sqlite3_bind_int64(c->insert, 7, now);
  }
  return run(c->insert);
}

static bool insert_together(Ceiling *c, long count, int64_t due, int state) {
  // A single statement is a transaction by itself.
  bool is_single = count == 1 && !c->record;
  if (!set_durable(c, true) || (!is_single && !run(c->begin))) return false;
  for (long i = 0; i < count; i++)
    if (!insert_job(c, due, state)) return false;
  return is_single || run(c->commit);
}

bool ceiling_submit(Ceiling *c, long count) {
  for (long i = 0; i < count; i++)
    if (!insert_together(c, 1, 0, 2)) return false;
  return true;
}

bool ceiling_submit_together(Ceiling *c, long count) { return insert_together(c, count, 0, 2); }

bool ceiling_schedule(Ceiling *c, long count) {
  return insert_together(c, count, wall() + (1LL << 40), 1);
}

// Runs a claim or an end, whose parameters are the same.
static bool change(Ceiling *c, sqlite3_stmt *statement, const Claim *job, int64_t now) {
  sqlite3_bind_int64(statement, 1, job->attempt);
  sqlite3_bind_int64(statement, 2, now);
  if (c->record) sqlite3_bind_int64(statement, 3, job->event);
  sqlite3_bind_int64(statement, 4, job->job);
  return run(statement) && sqlite3_changes(c->database) == 1;
}

// How many jobs were claimed; -1 for an error.
static int claim_jobs(Ceiling *c, Claim *claims, int most_jobs) {
  int found = 0, code;
  sqlite3_bind_int(c->select, 1, most_jobs);
  while ((code = sqlite3_step(c->select)) == SQLITE_ROW) {
    claims[found].job = sqlite3_column_int64(c->select, 0);
    claims[found].attempt = sqlite3_column_int64(c->select, 1) + 1;
    claims[found].event = sqlite3_column_int64(c->select, 2);
    (void)sqlite3_column_text(c->select, 3);
    (void)sqlite3_column_text(c->select, 4);
    found++;
  }
  sqlite3_reset(c->select);
  if (code != SQLITE_DONE) return -1;
  int64_t now = wall();
  for (int i = 0; i < found; i++)
    if (!record_change(c, &claims[i], now, 5, 3) || !change(c, c->claim, &claims[i], now))
      return -1;
  return found;
}

static bool finish_jobs(Ceiling *c, Claim *claims, int count) {
  int64_t now = wall();
  for (int i = 0; i < count; i++)
    if (!record_change(c, &claims[i], now, 6, 4) || !change(c, c->finish, &claims[i], now))
      return false;
  if (!c->count || !count) return true;
  sqlite3_bind_int(c->count, 1, count);
  return run(c->count);
}

bool ceiling_drain(Ceiling *c, int batch, long count) {
  static Claim claims[most];
  if (batch > most) return false;
  int held = 0;
  long done = 0;
  do {
    // A claim that is lost in a power cut was never run to its end.
    if (!set_durable(c, held > 0) || !run(c->begin) || !finish_jobs(c, claims, held)) return false;
    done += held;
    held = claim_jobs(c, claims, count - done < batch ? (int)(count - done) : batch);
    if (held < 0 || !run(c->commit)) return false;
  } while (held > 0);
  return true;
}
