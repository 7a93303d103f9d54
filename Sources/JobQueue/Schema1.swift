extension JobStore {
  /// The first format of the file, which ``version2`` makes over; it never changes.
  static let version1 = """
    CREATE TABLE queue (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      paused INTEGER NOT NULL DEFAULT 0,
      max_running INTEGER
    ) STRICT;

    CREATE TABLE recipe (
      id INTEGER PRIMARY KEY,
      digest TEXT NOT NULL,
      name TEXT NOT NULL,
      document TEXT NOT NULL,
      UNIQUE (digest, name)
    ) STRICT;

    CREATE TABLE worker (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      supervisor TEXT NOT NULL UNIQUE,
      boot_id TEXT NOT NULL,
      pid INTEGER NOT NULL,
      start_time INTEGER NOT NULL,
      host TEXT NOT NULL,
      processes INTEGER NOT NULL,
      desired_processes INTEGER,
      started_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE job (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      queue INTEGER NOT NULL REFERENCES queue,
      state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 7),
      priority INTEGER NOT NULL,
      attempt INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      crashes INTEGER NOT NULL DEFAULT 0,
      max_attempts INTEGER NOT NULL,
      pending INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      due_at INTEGER,
      started_at INTEGER,
      finished_at INTEGER,
      worker INTEGER,
      lease_until INTEGER,
      cancel_requested INTEGER NOT NULL DEFAULT 0,
      progress REAL NOT NULL DEFAULT 0,
      stage TEXT,
      frames INTEGER,
      fps REAL,
      remaining INTEGER,
      partial INTEGER NOT NULL DEFAULT 0,
      warnings INTEGER NOT NULL DEFAULT 0,
      error TEXT,
      unique_key TEXT
    ) STRICT;
    CREATE INDEX job_blocked ON job (queue) WHERE state = 0;
    CREATE INDEX job_due ON job (due_at, queue) WHERE state = 1;
    CREATE INDEX job_ready ON job (queue, priority DESC, id) WHERE state = 2;
    CREATE INDEX job_running ON job (queue) WHERE state = 3;
    CREATE INDEX job_ended ON job (state, id, finished_at) WHERE state >= 4;
    CREATE UNIQUE INDEX job_unique ON job (unique_key) WHERE unique_key IS NOT NULL AND state < 4;

    CREATE TABLE job_body (
      job_id INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE,
      recipe INTEGER NOT NULL REFERENCES recipe,
      input TEXT NOT NULL,
      output TEXT NOT NULL,
      batch TEXT,
      timeout INTEGER,
      result TEXT
    ) STRICT;
    CREATE INDEX body_batch ON job_body (batch) WHERE batch IS NOT NULL;

    CREATE TABLE dependency (
      parent INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
      child INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
      any_ending INTEGER NOT NULL,
      PRIMARY KEY (parent, child)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dependency_child ON dependency (child);

    CREATE TABLE request (
      name TEXT NOT NULL,
      position INTEGER NOT NULL,
      job_id INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
      PRIMARY KEY (name, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX request_job ON request (job_id);

    -- Attempts that have ended; the running one is in its job's row.
    CREATE TABLE attempt (
      job_id INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
      number INTEGER NOT NULL,
      outcome INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER NOT NULL,
      pid INTEGER,
      exit_code INTEGER,
      signal INTEGER,
      cpu_time INTEGER,
      peak_rss INTEGER,
      error TEXT,
      log_tail TEXT,
      PRIMARY KEY (job_id, number)
    ) STRICT;

    CREATE TABLE event (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
      at INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      state INTEGER NOT NULL,
      detail TEXT
    ) STRICT;
    CREATE INDEX event_job ON event (job_id);

    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- How many jobs of a queue are in each final state, so that counting them reads no history.
    CREATE TABLE ended_count (
      queue INTEGER NOT NULL,
      state INTEGER NOT NULL,
      jobs INTEGER NOT NULL,
      PRIMARY KEY (queue, state)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER job_ends AFTER UPDATE OF state ON job WHEN OLD.state < 4 AND NEW.state >= 4
    BEGIN
      INSERT INTO ended_count VALUES (NEW.queue, NEW.state, 1)
        ON CONFLICT DO UPDATE SET jobs = jobs + 1;
    END;
    CREATE TRIGGER job_returns AFTER UPDATE OF state ON job WHEN OLD.state >= 4 AND NEW.state < 4
    BEGIN
      UPDATE ended_count SET jobs = jobs - 1 WHERE queue = OLD.queue AND state = OLD.state;
    END;
    CREATE TRIGGER job_goes AFTER DELETE ON job WHEN OLD.state >= 4
    BEGIN
      UPDATE ended_count SET jobs = jobs - 1 WHERE queue = OLD.queue AND state = OLD.state;
    END;
    """
}
