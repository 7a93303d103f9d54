internal import CSQLite
internal import Glibc

/// When a transaction takes its locks.
public enum TransactionKind: Sendable {
  /// At its first statement; for reading only.
  case deferred
  /// The write lock at once, so that no later statement can fail for a lock.
  case immediate

  fileprivate var begin: SQL { self == .deferred ? Self.beginDeferred : Self.beginImmediate }

  private static let beginDeferred: SQL = "BEGIN DEFERRED"
  private static let beginImmediate: SQL = "BEGIN IMMEDIATE"
}

/// What a commit waits for.
public enum Synchronous: Int, Sendable {
  /// Nothing in WAL mode: commits survive a crash of the process, not a power cut.
  case normal = 1
  /// The disk: commits survive a power cut.
  case full = 2
}

extension Connection {
  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
  ///
  /// Transactions do not nest.
  @discardableResult
  public func transaction<Result>(
    _ kind: TransactionKind, _ body: () throws -> Result
  ) throws -> Result {
    precondition(!isInTransaction, "transactions do not nest")
    try run(kind.begin)
    do {
      let result = try body()
      try run(Self.commit)
      return result
    } catch {
      // SQLite itself rolls back after some errors (disk full, I/O). A rollback that fails leaves
      // nothing to do, and the first error is the one that explains.
      if isInTransaction { _ = try? run(Self.rollback) }
      throw error
    }
  }

  private static let commit: SQL = "COMMIT"
  private static let rollback: SQL = "ROLLBACK"

  /// Turns the file to write-ahead logging, where readers and the writer do not block each other.
  ///
  /// - Throws: `busy` while another connection does the same; `cannotOpen` or `ioError` on file
  ///   systems without shared memory.
  public func enterWAL() throws {
    let mode: String? = try first("PRAGMA journal_mode = WAL") { row in row[0] }
    guard mode != "wal" else { return }
    throw SQLiteError(
      SQLITE_CANTOPEN, call: "sqlite3_step", subject: "PRAGMA journal_mode = WAL",
      message: "the file system does not allow write-ahead logging")
  }

  /// Runs `body`, which makes a file ready for use, again while others who do the same are in its way,
  /// and for about twice `patience` at most; later calls then wait as long as `patience`.
  ///
  /// Turning a new file to write-ahead logging fails at once, whatever the busy timeout, when two do it
  /// together.
  /// - Throws: `busy` where they still are, or what `body` throws.
  public func preparing(within patience: Duration, _ body: () throws -> Void) throws {
    setBusyTimeout(Self.pause)
    defer { setBusyTimeout(patience) }
    for _ in 0..<max(1, Int(patience / Self.pause)) {
      do { return try body() } catch SQLiteError.Code.busy {
        // SQLite says when it is free to nobody who does not wait for a lock.
        usleep(UInt32(Self.pause / .microseconds(1)))
      }
    }
    try body()
  }

  /// How long one try waits for locks, and the pause after it.
  private static let pause = Duration.milliseconds(10)

  /// Moves the write-ahead log into the database and cuts it to nothing.
  ///
  /// - Returns: false when a reader or a writer kept it from being emptied.
  @discardableResult
  public func checkpoint() throws -> Bool {
    try first("PRAGMA wal_checkpoint(TRUNCATE)") { row in row[0] as Int == 0 } ?? false
  }
}
