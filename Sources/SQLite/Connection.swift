internal import CSQLite
internal import Glibc

/// An open SQLite database.
///
/// A connection belongs to one thread: it is not `Sendable`, and SQLite is told not to lock for it.
/// Statements are prepared once and kept. Every call may block, for at most the busy timeout when
/// another connection holds a lock.
@safe public final class Connection {
  /// How a file is opened.
  public enum Mode: Sendable {
    /// The file must exist and is not changed.
    case readOnly
    /// The file must exist, and nobody changes it as long as it is open; needs no file beside it.
    case immutable
    /// The file must exist.
    case readWrite
    /// The file is made where it does not exist, for its owner alone to read and write.
    case create
  }

  /// Done once in a process; false where another library was first to call SQLite.
  private static let hasForgoneStatistics = km_forgo_statistics() == SQLITE_OK

  /// The path that was opened.
  public let path: String
  // @safe: opened in `init`, closed in `deinit`, and seen in this module only.
  private let handle: OpaquePointer
  /// Prepared statements, each for one user at a time.
  private var kept: [SQL: PreparedStatement] = [:]
  private var synchronous: Synchronous?

  /// Opens the database at `path`; a name such as `:memory:` or `file:x` is a file's name too.
  ///
  /// - Throws: `cannotOpen` when the file is missing or may not be read. A damaged or foreign file is
  ///   noticed at the first statement only.
  public init(path: String, mode: Mode, busyTimeout: Duration) throws(SQLiteError) {
    let access =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    _ = Self.hasForgoneStatistics
    // A leading "./" keeps SQLite from reading a relative path as a URI or a special name.
    let plainName = path.hasPrefix("/") ? path : "./" + path
    let fileName = mode == .immutable ? Self.immutableURI(plainName) : plainName
    if mode == .create { Self.makePrivateFile(fileName) }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      fileName, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let handle = unsafe opened, code == SQLITE_OK else {
      // SQLite hands out a handle even on failure, and it must be closed; nil is no error here.
      unsafe sqlite3_close_v2(opened)
      throw SQLiteError(
        code, call: "sqlite3_open_v2", subject: path,
        message: unsafe String(cString: sqlite3_errstr(code)))
    }
    unsafe self.handle = handle
    self.path = path
    setBusyTimeout(busyTimeout)
  }

  /// Makes an empty file of mode 0600, which SQLite takes for a new database; its log and shared memory
  /// get the same mode from SQLite.
  ///
  /// A file that is there is left alone, and none is opened: closing one would drop the POSIX locks that
  /// other connections of this process have on it. What fails here fails again in SQLite, which says so.
  private static func makePrivateFile(_ name: String) {
    _ = unsafe mknod(name, S_IFREG | 0o600, 0)
  }

  /// The name under which SQLite opens a file that nobody changes (sqlite.org/uri.html).
  private static func immutableURI(_ name: String) -> String {
    let plain = Set("/.-_~".utf8)
    let path = name.utf8.map { byte in
      let isPlain =
        plain.contains(byte) || (byte < 0x80 && Character(UnicodeScalar(byte)).isLetter)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      let digits = String(byte, radix: 16)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }
    return "file:\(path.joined())?immutable=1"
  }

  deinit {
    // Closes for good once the kept statements, which end after this, are finalized.
    unsafe sqlite3_close_v2(handle)
  }
}

// MARK: - Running SQL

extension Connection {
  /// Runs SQL text of any number of statements, uncached and without values.
  public func execute(_ sql: String) throws(SQLiteError) {
    try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil), "sqlite3_exec", sql)
  }

  /// Runs one statement to its end.
  ///
  /// - Returns: the number of rows it inserted, updated or deleted.
  @inlinable @discardableResult
  public func run<each Value: ColumnValue>(
    _ sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> Int {
    let statement = try prepare(sql)
    try statement.bind(repeat each values)
    while try statement.step() {}
    return changedRows
  }

  /// Runs one statement to its end whose parameters `bind` binds, all of them: what a parameter was
  /// bound to in an earlier run is still there.
  ///
  /// For statements that run for each of many jobs: values of known types are bound three times as fast
  /// as a list of any.
  ///
  /// - Returns: the number of rows it inserted, updated or deleted.
  @inlinable @discardableResult
  public func run(
    _ sql: SQL, binding bind: (borrowing Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Int {
    let statement = try prepare(sql)
    try bind(statement)
    while try statement.step() {}
    return changedRows
  }

  /// Runs one statement and makes a value of each row.
  @inlinable
  public func query<each Value: ColumnValue, Result>(
    _ sql: SQL, _ values: repeat each Value, row: (borrowing Statement) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    try forEach(sql, repeat each values) { results.append(try row($0)) }
    return results
  }

  /// Runs one statement and hands out its rows one by one.
  @inlinable
  public func forEach<each Value: ColumnValue>(
    _ sql: SQL, _ values: repeat each Value, row: (borrowing Statement) throws -> Void
  ) throws {
    let statement = try prepare(sql)
    try statement.bind(repeat each values)
    while try statement.step() { try row(statement) }
  }

  /// Runs one statement as far as its first row.
  ///
  /// - Returns: what `row` makes of it, or nil when there is none.
  @inlinable
  public func first<each Value: ColumnValue, Result>(
    _ sql: SQL, _ values: repeat each Value, row: (borrowing Statement) throws -> Result
  ) throws -> Result? {
    let statement = try prepare(sql)
    try statement.bind(repeat each values)
    return try statement.step() ? try row(statement) : nil
  }

  /// Takes the prepared statement for `sql`, or prepares it.
  ///
  /// It is reset and kept for the next user when the returned value ends; running the same SQL in the
  /// meantime prepares a second one, which is not kept.
  public func prepare(_ sql: SQL) throws(SQLiteError) -> Statement {
    if let idle = kept[sql], !idle.isInUse { return Statement(idle, of: self) }
    var handle: OpaquePointer?
    try check(
      unsafe sqlite3_prepare_v3(
        self.handle, sql.text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil),
      "sqlite3_prepare_v3", sql.text)
    guard let handle = unsafe handle else {
      preconditionFailure("SQL without a statement: \(sql)")
    }
    let prepared = unsafe PreparedStatement(handle, sql)
    if kept[sql] == nil { kept[sql] = prepared }
    return Statement(prepared, of: self)
  }

  /// Turns a result code that is not `SQLITE_OK` into an error.
  func check(_ code: Int32, _ call: String, _ subject: String) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    throw SQLiteError(
      code, call: call, subject: subject, message: unsafe String(cString: sqlite3_errmsg(handle)))
  }
}

// MARK: - State of the connection

extension Connection {
  /// How many rows the latest statement inserted, updated or deleted.
  public var changedRows: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// The row id that the latest insert of this connection gave.
  public var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// A number that changes when another connection commits.
  public func dataVersion() throws -> Int64 { try integer("PRAGMA data_version") }

  /// Whether the file was moved or deleted since it was opened: what is written now is lost to others.
  public var hasMoved: Bool {
    var hasMoved: Int32 = 0
    unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return hasMoved != 0
  }

  /// Runs a statement that yields one number; 0 when it yields nothing.
  public func integer(_ sql: SQL) throws -> Int64 {
    try first(sql) { row in row[0] } ?? 0
  }

  /// Chooses how long later calls wait for the locks of other connections.
  public func setBusyTimeout(_ timeout: Duration) {
    unsafe sqlite3_busy_timeout(handle, timeout.wholeMilliseconds)
  }

  /// Chooses what later commits wait for; outside of transactions only.
  public func setSynchronous(_ synchronous: Synchronous) throws(SQLiteError) {
    guard synchronous != self.synchronous else { return }
    // Not a kept statement: this pragma acts when it is prepared, not when it runs.
    try execute("PRAGMA synchronous = \(synchronous.rawValue)")
    self.synchronous = synchronous
  }
}

extension Duration {
  /// The duration in milliseconds, within the range that SQLite takes.
  fileprivate var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    return Int32(
      clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue
        + attoseconds / 1_000_000_000_000_000)
  }
}
