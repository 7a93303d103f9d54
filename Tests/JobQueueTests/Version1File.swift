/// A queue file as the first format had it, with a job in each state but one: what that version of
/// keymill wrote, dumped with `.dump`.
let version1File = """
  CREATE TABLE queue (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    paused INTEGER NOT NULL DEFAULT 0,
    max_running INTEGER
  ) STRICT;
  INSERT INTO queue VALUES(1,'default',0,NULL);
  INSERT INTO queue VALUES(2,'slow',0,2);
  INSERT INTO queue VALUES(3,'idle',1,NULL);
  CREATE TABLE recipe (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    UNIQUE (digest, name)
  ) STRICT;
  INSERT INTO recipe VALUES(1,'d1','sprite','{"key":{}}');
  INSERT INTO recipe VALUES(2,'d1','sprite-2','{"key":{}}');
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
  INSERT INTO worker VALUES(1,'first','boot',100,1,'',0,NULL,1750000001000,1750000001000);
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
  INSERT INTO job VALUES(2,1,4,0,2,0,1,5,0,1750000000000,NULL,1750000001000,1750000003000,NULL,NULL,0,1.0,NULL,NULL,NULL,NULL,1,3,NULL,NULL);
  INSERT INTO job VALUES(3,1,5,0,1,1,0,5,0,1750000000000,NULL,1750000001000,1750000004000,NULL,NULL,0,0.0,NULL,NULL,NULL,NULL,0,0,'no video',NULL);
  INSERT INTO job VALUES(4,1,5,0,0,0,0,5,1,1750000000000,NULL,NULL,1750000004000,NULL,NULL,0,0.0,NULL,NULL,NULL,NULL,0,0,'job 3, which it comes after, is failed',NULL);
  INSERT INTO job VALUES(5,2,3,0,1,0,0,5,0,1750000000000,NULL,1750000001000,NULL,1,30000,0,0.5,'key',45,29.5,3000,0,0,NULL,'d1 long.mp4');
  INSERT INTO job VALUES(6,1,0,0,0,0,0,5,1,1750000000000,NULL,NULL,NULL,NULL,NULL,0,0.0,NULL,NULL,NULL,NULL,0,0,NULL,NULL);
  INSERT INTO job VALUES(7,1,1,0,0,0,0,5,0,1750000000000,1750000060000,NULL,NULL,NULL,NULL,0,0.0,NULL,NULL,NULL,NULL,0,0,NULL,NULL);
  INSERT INTO job VALUES(8,1,2,3,0,0,0,5,0,1750000000000,NULL,NULL,NULL,NULL,NULL,0,0.0,NULL,NULL,NULL,NULL,0,0,NULL,'d1 next.mp4');
  INSERT INTO job VALUES(9,1,2,0,0,0,0,5,0,1750000000000,NULL,NULL,NULL,NULL,NULL,0,0.0,NULL,NULL,NULL,NULL,0,0,NULL,'d1 größe.mp4');
  INSERT INTO job VALUES(10,1,6,0,0,0,0,5,0,1750000000000,NULL,NULL,1750000005000,NULL,NULL,0,0.0,NULL,NULL,NULL,NULL,0,0,NULL,NULL);
  CREATE TABLE job_body (
    job_id INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE,
    recipe INTEGER NOT NULL REFERENCES recipe,
    input TEXT NOT NULL,
    output TEXT NOT NULL,
    batch TEXT,
    timeout INTEGER,
    result TEXT
  ) STRICT;
  INSERT INTO job_body VALUES(2,1,'done.mp4','out/done','monday',90000,'{"files":[]}');
  INSERT INTO job_body VALUES(3,1,'bad.txt','out/bad',NULL,NULL,NULL);
  INSERT INTO job_body VALUES(4,1,'child.mp4','out/child',NULL,NULL,NULL);
  INSERT INTO job_body VALUES(5,1,'long.mp4','out/long',NULL,NULL,NULL);
  INSERT INTO job_body VALUES(6,1,'after.mp4','out/after',NULL,NULL,NULL);
  INSERT INTO job_body VALUES(7,1,'later.mp4','out/later',NULL,NULL,NULL);
  INSERT INTO job_body VALUES(8,1,'next.mp4','out/next',NULL,NULL,NULL);
  INSERT INTO job_body VALUES(9,2,'größe.mp4','out/größe',NULL,NULL,NULL);
  INSERT INTO job_body VALUES(10,1,'off.mp4','out/off',NULL,NULL,NULL);
  CREATE TABLE dependency (
    parent INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
    child INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
    any_ending INTEGER NOT NULL,
    PRIMARY KEY (parent, child)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO dependency VALUES(3,4,0);
  INSERT INTO dependency VALUES(5,6,1);
  CREATE TABLE request (
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    job_id INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
    PRIMARY KEY (name, position)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO request VALUES('watch done.mp4',0,2);
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
  INSERT INTO attempt VALUES(2,1,11,1750000001000,1750000002000,7,NULL,11,1500,1048576,'signal 11','decoder: oh');
  INSERT INTO attempt VALUES(2,2,6,1750000001000,1750000003000,8,0,NULL,NULL,NULL,NULL,NULL);
  INSERT INTO attempt VALUES(3,1,7,1750000001000,1750000004000,NULL,NULL,NULL,NULL,NULL,'no video',NULL);
  CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
    at INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    state INTEGER NOT NULL,
    detail TEXT
  ) STRICT;
  INSERT INTO event VALUES(3,2,1750000000000,0,0,2,NULL);
  INSERT INTO event VALUES(4,2,1750000001000,1,5,3,NULL);
  INSERT INTO event VALUES(5,2,1750000002000,1,11,2,'signal 11');
  INSERT INTO event VALUES(6,2,1750000001000,2,5,3,NULL);
  INSERT INTO event VALUES(7,2,1750000003000,2,6,4,NULL);
  INSERT INTO event VALUES(8,3,1750000000000,0,0,2,NULL);
  INSERT INTO event VALUES(9,4,1750000000000,0,0,0,NULL);
  INSERT INTO event VALUES(10,3,1750000001000,1,5,3,NULL);
  INSERT INTO event VALUES(11,3,1750000004000,1,7,5,'no video');
  INSERT INTO event VALUES(12,4,1750000004000,0,3,5,'job 3, which it comes after, is failed');
  INSERT INTO event VALUES(13,5,1750000000000,0,0,2,NULL);
  INSERT INTO event VALUES(14,5,1750000001000,1,5,3,NULL);
  INSERT INTO event VALUES(15,6,1750000000000,0,0,0,NULL);
  INSERT INTO event VALUES(16,7,1750000000000,0,0,1,NULL);
  INSERT INTO event VALUES(17,8,1750000000000,0,0,2,NULL);
  INSERT INTO event VALUES(18,9,1750000000000,0,0,2,NULL);
  INSERT INTO event VALUES(19,10,1750000000000,0,0,2,NULL);
  INSERT INTO event VALUES(20,10,1750000005000,0,15,6,NULL);
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO setting VALUES('theme','dark');
  CREATE TABLE ended_count (
    queue INTEGER NOT NULL,
    state INTEGER NOT NULL,
    jobs INTEGER NOT NULL,
    PRIMARY KEY (queue, state)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO ended_count VALUES(1,4,1);
  INSERT INTO ended_count VALUES(1,5,2);
  INSERT INTO ended_count VALUES(1,6,1);
  DELETE FROM sqlite_sequence;
  INSERT INTO sqlite_sequence VALUES('job',10);
  INSERT INTO sqlite_sequence VALUES('event',20);
  INSERT INTO sqlite_sequence VALUES('worker',1);
  CREATE INDEX job_blocked ON job (queue) WHERE state = 0;
  CREATE INDEX job_due ON job (due_at, queue) WHERE state = 1;
  CREATE INDEX job_ready ON job (queue, priority DESC, id) WHERE state = 2;
  CREATE INDEX job_running ON job (queue) WHERE state = 3;
  CREATE INDEX job_ended ON job (state, id, finished_at) WHERE state >= 4;
  CREATE UNIQUE INDEX job_unique ON job (unique_key) WHERE unique_key IS NOT NULL AND state < 4;
  CREATE INDEX body_batch ON job_body (batch) WHERE batch IS NOT NULL;
  CREATE INDEX dependency_child ON dependency (child);
  CREATE INDEX request_job ON request (job_id);
  CREATE INDEX event_job ON event (job_id);
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

  PRAGMA application_id = 1802334513;
  PRAGMA user_version = 1;
  PRAGMA journal_mode = WAL;
  """
