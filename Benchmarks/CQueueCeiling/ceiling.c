#include "CQueueCeiling.h"
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { most = 4096 };

struct Ceiling {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *insert, *claim, *finish, *record;
  bool is_durable, keeps_history;
};

typedef struct { sqlite3_int64 job, token; } Claim;

static const char *const schema =
  "CREATE TABLE job (id INTEGER PRIMARY KEY, queue INTEGER NOT NULL DEFAULT 0,"
  " priority INTEGER NOT NULL DEFAULT 0, run_at INTEGER NOT NULL, state INTEGER NOT NULL,"
  " attempt INTEGER NOT NULL DEFAULT 0, token INTEGER NOT NULL DEFAULT 0, lease_until INTEGER,"
  " worker INTEGER, done_at INTEGER, payload TEXT NOT NULL) STRICT;"
  "CREATE INDEX job_ready ON job (queue, priority, id) WHERE state = 0;"
  "CREATE INDEX job_due ON job (run_at) WHERE state = 1;"
  "CREATE INDEX job_lease ON job (lease_until) WHERE state = 2;"
  "CREATE TABLE event (id INTEGER PRIMARY KEY, job_id INTEGER NOT NULL, at INTEGER NOT NULL,"
  " attempt INTEGER NOT NULL, state INTEGER NOT NULL) STRICT;";

static const char *const insert = "INSERT INTO job (run_at, payload, state) VALUES (?1, ?2, ?3)";
static const char *const claim =
  "UPDATE job SET state = 2, attempt = attempt + 1, token = token + 1, lease_until = ?1 + 30000,"
  " worker = 1 WHERE id = (SELECT id FROM job WHERE state = 0 AND queue = 0"
  " ORDER BY priority, id LIMIT 1) RETURNING id, token, payload";
static const char *const finish =
  "UPDATE job SET state = 3, done_at = ?1, lease_until = NULL"
  " WHERE id = ?2 AND token = ?3 AND state = 2";
static const char *const record = "INSERT INTO event (job_id, at, attempt, state) VALUES (?1, ?2, ?3, ?4)";

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

Ceiling *ceiling_open(const char *path, bool keeps_history) {
  Ceiling *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->is_durable = true;
  c->keeps_history = keeps_history;
  const char *pragmas =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;"
    "PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 268435456;";
  if (sqlite3_open_v2(path, &c->database,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)
      || sqlite3_exec(c->database, pragmas, NULL, NULL, NULL)
      || sqlite3_exec(c->database, schema, NULL, NULL, NULL)
      || prepare(c, "BEGIN IMMEDIATE", &c->begin) || prepare(c, "COMMIT", &c->commit)
      || prepare(c, insert, &c->insert) || prepare(c, claim, &c->claim)
      || prepare(c, finish, &c->finish) || prepare(c, record, &c->record)) {
    ceiling_close(c);
    return NULL;
  }
  return c;
}

void ceiling_close(Ceiling *c) {
  sqlite3_finalize(c->begin);
  sqlite3_finalize(c->commit);
  sqlite3_finalize(c->insert);
  sqlite3_finalize(c->claim);
  sqlite3_finalize(c->finish);
  sqlite3_finalize(c->record);
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

// Writes down what happened to a job, where history is kept.
static bool record_change(Ceiling *c, sqlite3_int64 job, sqlite3_int64 attempt, int state) {
  if (!c->keeps_history) return true;
  sqlite3_bind_int64(c->record, 1, job);
  sqlite3_bind_int64(c->record, 2, wall());
  sqlite3_bind_int64(c->record, 3, attempt);
  sqlite3_bind_int(c->record, 4, state);
  return run(c->record);
}

static bool insert_job(Ceiling *c, long number, int64_t due, int state) {
  // As long as the two paths of a job of keymill's bench.
  char payload[128];
  snprintf(payload, sizeof payload,
    "/srv/media/inbox/2025/camera/clip-%07ld.mp4 /srv/media/published/clip-%07ld", number, number);
  sqlite3_bind_int64(c->insert, 1, due);
  sqlite3_bind_text(c->insert, 2, payload, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int(c->insert, 3, state);
  return run(c->insert) && record_change(c, sqlite3_last_insert_rowid(c->database), 0, state);
}

bool ceiling_submit(Ceiling *c, long count) {
  if (!set_durable(c, true)) return false;
  for (long i = 0; i < count; i++) {
    if (c->keeps_history && !run(c->begin)) return false;
    if (!insert_job(c, i, wall(), 0)) return false;
    if (c->keeps_history && !run(c->commit)) return false;
  }
  return true;
}

static bool insert_together(Ceiling *c, long count, int64_t due, int state) {
  if (!set_durable(c, true) || !run(c->begin)) return false;
  for (long i = 0; i < count; i++)
    if (!insert_job(c, i, due, state)) return false;
  return run(c->commit);
}

bool ceiling_submit_together(Ceiling *c, long count) {
  return insert_together(c, count, wall(), 0);
}

bool ceiling_schedule(Ceiling *c, long count) {
  return insert_together(c, count, wall() + (1LL << 40), 1);
}

// 1 for a job, 0 for none left, -1 for an error.
static int claim_job(Ceiling *c, Claim *claimed) {
  sqlite3_bind_int64(c->claim, 1, wall());
  int code = sqlite3_step(c->claim);
  if (code == SQLITE_ROW) {
    claimed->job = sqlite3_column_int64(c->claim, 0);
    claimed->token = sqlite3_column_int64(c->claim, 1);
    (void)sqlite3_column_text(c->claim, 2);
    return run(c->claim) && record_change(c, claimed->job, claimed->token, 2) ? 1 : -1;
  }
  sqlite3_reset(c->claim);
  return code == SQLITE_DONE ? 0 : -1;
}

static bool finish_job(Ceiling *c, const Claim *claimed) {
  sqlite3_bind_int64(c->finish, 1, wall());
  sqlite3_bind_int64(c->finish, 2, claimed->job);
  sqlite3_bind_int64(c->finish, 3, claimed->token);
  return run(c->finish) && sqlite3_changes(c->database) == 1
    && record_change(c, claimed->job, claimed->token, 3);
}

bool ceiling_drain(Ceiling *c, int batch, long count) {
  static Claim claims[most];
  if (batch > most) return false;
  int held = 0;
  long done = 0;
  do {
    // A claim that is lost in a power cut was never run to its end.
    if (!set_durable(c, held > 0) || !run(c->begin)) return false;
    for (int i = 0; i < held; i++)
      if (!finish_job(c, &claims[i])) return false;
    done += held;
    held = 0;
    while (held < batch && done + held < count) {
      int found = claim_job(c, &claims[held]);
      if (found < 0) return false;
      if (found == 0) break;
      held++;
    }
    if (!run(c->commit)) return false;
  } while (held > 0);
  return true;
}
