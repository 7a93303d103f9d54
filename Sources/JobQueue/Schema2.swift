internal import SQLite

extension JobStore {
  /// The second format: one row for a job instead of two, attempts told by their events, events in a
  /// chain instead of an index, counters for all states, and tables for schedules and engines.
  ///
  /// Submits, claims and ends change half as many pages as in the first.
  static let version2 = setAside1 + tables2 + copy1

  /// Takes the tables of the first format out of the way.
  private static let setAside1 = """
    DROP TRIGGER job_ends;
    DROP TRIGGER job_returns;
    DROP TRIGGER job_goes;
    DROP TABLE ended_count;
    ALTER TABLE job RENAME TO job1;
    ALTER TABLE event RENAME TO event1;
    ALTER TABLE dependency RENAME TO dependency1;
    ALTER TABLE request RENAME TO request1;
    DROP INDEX job_blocked;
    DROP INDEX job_due;
    DROP INDEX job_ready;
    DROP INDEX job_running;
    DROP INDEX job_ended;
    DROP INDEX job_unique;
    DROP INDEX dependency_child;
    DROP INDEX request_job;

    """

  private static let tables2 = """
    CREATE TABLE job (
      id INTEGER PRIMARY KEY,
      queue INTEGER NOT NULL REFERENCES queue,
      state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 7),
      priority INTEGER NOT NULL,
      attempt INTEGER NOT NULL DEFAULT 0,
      worker INTEGER,
      lease_until INTEGER,
      cancel_requested INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      crashes INTEGER NOT NULL DEFAULT 0,
      max_attempts INTEGER NOT NULL,
      pending INTEGER NOT NULL DEFAULT 0,
      due_at INTEGER,
      -- The newest of its events, each of which knows the one before; NULL after compaction.
      last_event INTEGER,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      finished_at INTEGER,
      progress REAL NOT NULL DEFAULT 0,
      stage TEXT,
      frames INTEGER,
      fps REAL,
      remaining INTEGER,
      partial INTEGER NOT NULL DEFAULT 0,
      warnings INTEGER NOT NULL DEFAULT 0,
      forced INTEGER NOT NULL DEFAULT 0,
      timeout INTEGER,
      recipe INTEGER NOT NULL REFERENCES recipe,
      -- For a unique job the oldest recipe with its document, whatever the name.
      unique_recipe INTEGER,
      input TEXT NOT NULL,
      output TEXT NOT NULL,
      batch TEXT,
      error TEXT,
      -- Of a completed job: what its output was made of and by, for the next one like it.
      input_digest BLOB,
      engine INTEGER REFERENCES engine,
      reused_from INTEGER
    ) STRICT;
    CREATE INDEX job_blocked ON job (queue) WHERE state = 0;
    CREATE INDEX job_due ON job (due_at, queue) WHERE state = 1;
    CREATE INDEX job_ready ON job (queue, priority DESC, id) WHERE state = 2;
    CREATE INDEX job_running ON job (queue) WHERE state = 3;
    CREATE INDEX job_ended ON job (state, id, finished_at) WHERE state >= 4;
    CREATE UNIQUE INDEX job_unique ON job (unique_recipe, input)
      WHERE unique_recipe IS NOT NULL AND state < 4;
    CREATE INDEX job_batch ON job (batch) WHERE batch IS NOT NULL;
    CREATE INDEX job_output ON job (output);
    -- Eight bytes of a digest find it; the row tells whether it is the one.
    CREATE INDEX job_input ON job (substr(input_digest, 1, 8)) WHERE input_digest IS NOT NULL;

    CREATE TABLE event (
      id INTEGER PRIMARY KEY,
      job_id INTEGER NOT NULL,
      previous INTEGER,
      at INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      state INTEGER NOT NULL,
      detail TEXT,
      -- Of one that ends an attempt.
      pid INTEGER,
      exit_code INTEGER,
      signal INTEGER,
      cpu_time INTEGER,
      peak_rss INTEGER
    ) STRICT;

    -- The end of what the attempt that an event ended wrote to standard error.
    CREATE TABLE log (event_id INTEGER PRIMARY KEY, tail TEXT NOT NULL) STRICT;

    CREATE TABLE result (job_id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT;

    CREATE TABLE engine (id INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE) STRICT;

    CREATE TABLE dependency (
      parent INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
      child INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
      any_ending INTEGER NOT NULL,
      PRIMARY KEY (parent, child)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dependency_child ON dependency (child);

    -- Outlives its job, and then knows the state that it ended in.
    CREATE TABLE request (
      name BLOB NOT NULL,
      position INTEGER NOT NULL,
      job_id INTEGER NOT NULL,
      asked_at INTEGER NOT NULL,
      ended INTEGER,
      PRIMARY KEY (name, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX request_job ON request (job_id) WHERE ended IS NULL;
    CREATE INDEX request_ended ON request (asked_at) WHERE ended IS NOT NULL;

    CREATE TABLE schedule (
      name TEXT PRIMARY KEY,
      cron TEXT NOT NULL,
      next_at INTEGER,
      queue INTEGER NOT NULL REFERENCES queue,
      recipe INTEGER NOT NULL REFERENCES recipe,
      input TEXT NOT NULL,
      output TEXT NOT NULL,
      priority INTEGER NOT NULL,
      batch TEXT,
      timeout INTEGER,
      max_attempts INTEGER NOT NULL,
      is_unique INTEGER NOT NULL,
      forced INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      fired_at INTEGER,
      last_job INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX schedule_due ON schedule (next_at) WHERE next_at IS NOT NULL;

    -- What would cost a look at every row to find out: how many jobs of a queue are in a state, by the
    -- state's name, and the last numbers given to a job and to an event, under queue 0.
    CREATE TABLE counter (
      queue INTEGER NOT NULL,
      name TEXT NOT NULL,
      value INTEGER NOT NULL,
      PRIMARY KEY (queue, name)
    ) STRICT, WITHOUT ROWID;

    """

  private static let copy1 = """
    INSERT INTO event
      SELECT e.id, e.job_id, lag(e.id) OVER (PARTITION BY e.job_id ORDER BY e.id), e.at, e.attempt,
        e.kind, e.state, e.detail, a.pid, a.exit_code, a.signal, a.cpu_time, a.peak_rss
      FROM event1 e LEFT JOIN attempt a
        ON a.job_id = e.job_id AND a.number = e.attempt AND a.outcome = e.kind
      ORDER BY e.id;
    INSERT INTO log
      SELECT e.id, a.log_tail FROM event1 e JOIN attempt a
        ON a.job_id = e.job_id AND a.number = e.attempt AND a.outcome = e.kind
      WHERE a.log_tail IS NOT NULL ORDER BY e.id;
    INSERT INTO job
      SELECT j.id, queue, state, priority, attempt, worker, lease_until, cancel_requested, failures,
        crashes, max_attempts, pending, due_at,
        (SELECT max(e.id) FROM event1 e WHERE e.job_id = j.id), created_at, started_at, finished_at,
        progress, stage, frames, fps, remaining, partial, warnings, 0, timeout, recipe,
        CASE WHEN unique_key IS NOT NULL THEN
          (SELECT min(r.id) FROM recipe r JOIN recipe own ON own.digest = r.digest
            WHERE own.id = recipe) END,
        input, output, batch, error, NULL, NULL, NULL
      FROM job1 j JOIN job_body b ON b.job_id = j.id ORDER BY j.id;
    INSERT INTO result
      SELECT job_id, result FROM job_body WHERE result IS NOT NULL ORDER BY job_id;
    INSERT INTO dependency SELECT parent, child, any_ending FROM dependency1;
    INSERT INTO counter
      SELECT queue, CASE state WHEN 0 THEN 'blocked' WHEN 1 THEN 'scheduled' WHEN 2 THEN 'available'
        WHEN 3 THEN 'running' WHEN 4 THEN 'completed' WHEN 5 THEN 'failed' WHEN 6 THEN 'cancelled'
        ELSE 'quarantined' END, count(*)
      FROM job GROUP BY queue, state;
    INSERT INTO counter SELECT 0, 'job', seq FROM sqlite_sequence WHERE name = 'job1';
    INSERT INTO counter SELECT 0, 'event', seq FROM sqlite_sequence WHERE name = 'event1';

    DROP TABLE event1;
    DROP TABLE attempt;
    DROP TABLE dependency1;
    DROP TABLE job_body;
    """

  /// Copies the requests of the first format, whose names were kept in full, and drops what is left
  /// of it.
  static func hashRequestNames(_ connection: Connection) throws {
    try connection.forEach(
      """
      SELECT r.name, r.position, r.job_id, j.created_at FROM request1 r JOIN job j ON j.id = r.job_id
      """
    ) { row in
      try connection.run(
        "INSERT INTO request (name, position, job_id, asked_at) VALUES (?, ?, ?, ?)",
        RequestName(row[0]).key, row[1] as Int64, row[2] as Int64, row[3] as Int64)
    }
    try connection.execute("DROP TABLE request1; DROP TABLE job1;")
  }
}
