internal import SQLite

/// The index of a store: which origin leads to which content, and when each was last used.
///
/// It is never asked for bytes, only for names of files, and a name that leads nowhere is a miss; so
/// it may be behind, be lost or be made again without harm. Commits survive a crash of the process,
/// not a power cut, and wait for no disk. Belongs to one thread, as its connection does.
final class CacheIndex {
  /// The path of its file.
  let path: String
  let connection: Connection
  /// Whether nobody else can use the file as long as this value lives: it was opened where no space is
  /// left, and must not be kept.
  let isAlone: Bool
  private let patience: Duration

  /// Opens the index at `path`, and makes it where there is none; a call waits for a writer in another
  /// process as long as `patience`.
  ///
  /// On a full disk SQLite cannot make the memory that it shares with others. Without others it needs
  /// none: then what is there can be read, and be removed, which makes room.
  init(path: String, patience: Duration) throws {
    self.path = path
    self.patience = patience
    do {
      connection = try Self.open(path, patience)
      isAlone = false
    } catch AudioStoreError.index(let error) where error.kind == .full {
      connection = try Self.open(path, patience, alone: true)
      isAlone = true
    }
  }

  /// Opens an index to read what another user has written; nil where it is of an older format.
  ///
  /// A file system that may not be written to cannot hold what the users of a log share: there the
  /// index is taken as it is.
  init?(reading path: String) throws {
    self.path = path
    patience = .zero
    isAlone = false
    func open(_ mode: Connection.Mode) throws -> (Connection, version: Int) {
      let connection = try Connection(path: path, mode: mode, busyTimeout: .zero)
      return (connection, try Self.schema.version(of: connection))
    }
    let opened = try Self.translating(path) { try (try? open(.readOnly)) ?? open(.immutable) }
    guard (Self.oldestReadable...Self.schema.version).contains(opened.version) else { return nil }
    connection = opened.0
  }

  private static func open(
    _ path: String, _ patience: Duration, alone: Bool = false
  ) throws -> Connection {
    try translating(path) {
      let connection = try Connection(path: path, mode: .create, busyTimeout: patience)
      // Before the file is looked at for the first time.
      if alone { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
      try connection.execute(pragmas)
      try connection.preparing(within: patience) {
        // Before anything is written: the file may be another program's.
        _ = try schema.version(of: connection)
        try connection.enterWAL()
        try schema.apply(to: connection)
      }
      try connection.setSynchronous(.normal)
      return connection
    }
  }

  /// What each connection sets: 8 MB of pages are kept, and the log shrinks back to 16 MB.
  private static let pragmas = """
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -8192;
    PRAGMA journal_size_limit = 16777216;
    """

  /// Runs `body` in one write transaction.
  func write<Result>(_ body: () throws -> Result) throws -> Result {
    try Self.translating(path) { try connection.transaction(.immediate, body) }
  }

  /// Runs `body` in one write transaction, unless another process is in one or no space is left.
  ///
  /// - Returns: Whether it ran.
  func writeIfFree(_ body: () throws -> Void) throws -> Bool {
    connection.setBusyTimeout(.zero)
    defer { connection.setBusyTimeout(patience) }
    do {
      try write(body)
      return true
    } catch AudioStoreError.index(let error) where error.kind == .busy || error.kind == .full {
      return false
    }
  }

  /// Runs `body`, which reads.
  func read<Result>(_ body: () throws -> Result) throws -> Result {
    try Self.translating(path, body)
  }

  /// Whether the file is whole, as far as SQLite can tell from it alone.
  var isSound: Bool {
    (try? connection.first("PRAGMA quick_check(1)") { row in row[0] as String }) == "ok"
  }

  private static func translating<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw AudioStoreError.index(IndexError(error, path: path))
    } catch let error as SchemaError {
      throw AudioStoreError.index(IndexError(error, path: path))
    }
  }
}
