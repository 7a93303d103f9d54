internal import SQLite

extension CacheIndex {
  /// The format of the index.
  ///
  /// Contents and origins are numbered by the first 8 bytes of their SHA-256, which spares an index of
  /// digests: what has the same number by chance, or by somebody's effort, is told apart by the whole,
  /// and takes the other's place. Times are milliseconds: of the wall clock since 1970, for
  /// `lease_until` of the boot clock.
  /// `summary` has one row and keeps its sums by triggers, so that limits cost no count.
  static let schema = Schema(
    applicationID: 0x6B6D_6131,  // "kma1"
    migrations: [Migration(version1), Migration(version2), Migration(version3)])

  /// The oldest format that can be read as this one is.
  static let oldestReadable = 2

  /// What entries cost is bounded, and their sum stays within what a number can hold.
  ///
  /// Before, one that cost nearly 2^63 let nothing else be noted. A sum beyond a number would be a REAL,
  /// which the column refuses: it stops at 9e18 instead.
  private static let version3 = """
    DROP TRIGGER IF EXISTS content_added;
    DROP TRIGGER IF EXISTS content_removed;
    DROP TRIGGER IF EXISTS content_changed;
    UPDATE content SET cost = max(0, min(cost, \(CacheLimits.largestCost)));
    UPDATE summary SET cost = (SELECT coalesce(sum(cost), 0) FROM content);
    CREATE TRIGGER content_added AFTER INSERT ON content BEGIN
      UPDATE summary SET entries = entries + 1, bytes = bytes + new.size,
        cost = min(cost + new.cost, 9000000000000000000);
    END;
    CREATE TRIGGER content_removed AFTER DELETE ON content BEGIN
      UPDATE summary SET entries = entries - 1, bytes = bytes - old.size,
        cost = max(0, cost - old.cost);
    END;
    CREATE TRIGGER content_changed AFTER UPDATE OF size, cost ON content BEGIN
      UPDATE summary SET bytes = bytes + new.size - old.size,
        cost = max(0, min(cost - old.cost + new.cost, 9000000000000000000));
    END;
    """

  /// What is on trial goes soon unless something is made of it; see ``TrackCache/accept(_:)``.
  ///
  /// What was fetched before may have come from anywhere.
  private static let version2 = """
    ALTER TABLE content ADD COLUMN on_trial INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE origin ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE claim ADD COLUMN allows_private INTEGER NOT NULL DEFAULT 0;
    UPDATE origin SET is_private = 1 WHERE kind = 1;
    """

  private static let version1 = """
    CREATE TABLE content (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL,
      extension TEXT NOT NULL,
      size INTEGER NOT NULL,
      cost INTEGER NOT NULL,
      stored_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      expires_at INTEGER
    ) STRICT;
    CREATE INDEX content_by_use ON content (used_at);
    CREATE INDEX content_by_expiry ON content (expires_at) WHERE expires_at IS NOT NULL;

    CREATE TABLE origin (
      id INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL,
      location TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      size INTEGER,
      mtime INTEGER,
      inode INTEGER,
      checked_at INTEGER NOT NULL,
      content INTEGER NOT NULL REFERENCES content ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX origin_by_content ON origin (content);

    CREATE TABLE claim (
      key BLOB PRIMARY KEY,
      location TEXT NOT NULL,
      generation INTEGER NOT NULL,
      owner TEXT NOT NULL,
      lease_until INTEGER NOT NULL,
      partial TEXT NOT NULL,
      expected INTEGER,
      etag TEXT,
      last_modified TEXT,
      failure TEXT,
      changed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE summary (
      entries INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      cost INTEGER NOT NULL DEFAULT 0,
      hits INTEGER NOT NULL DEFAULT 0,
      misses INTEGER NOT NULL DEFAULT 0,
      generation INTEGER NOT NULL DEFAULT 0,
      is_complete INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO summary DEFAULT VALUES;

    CREATE TRIGGER content_added AFTER INSERT ON content BEGIN
      UPDATE summary SET entries = entries + 1, bytes = bytes + new.size, cost = cost + new.cost;
    END;
    CREATE TRIGGER content_removed AFTER DELETE ON content BEGIN
      UPDATE summary SET entries = entries - 1, bytes = bytes - old.size, cost = cost - old.cost;
    END;
    CREATE TRIGGER content_changed AFTER UPDATE OF size, cost ON content BEGIN
      UPDATE summary SET bytes = bytes + new.size - old.size, cost = cost + new.cost - old.cost;
    END;
    """
}
