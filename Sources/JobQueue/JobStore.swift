internal import FoundationEssentials
internal import SQLite

/// The queue: one SQLite file that any number of processes on one machine share.
///
/// Every change is one `BEGIN IMMEDIATE` transaction. What a user was told (submits, ends of
/// attempts, cancellations) is committed durably against power loss; claims, leases and progress
/// against a crash only, since a power cut ends the attempts too. The store never reads a clock:
/// wall time and boot time come as arguments. It belongs to one thread; its calls may block, for at
/// most the busy timeout of its role. All of them throw ``QueueError``.
public final class JobStore {
  /// Who opens the queue, which decides how long a call may wait for other processes.
  public enum Role: Sendable {
    /// A command that changes something; waits up to 30 s.
    case client
    /// An event loop that must not stand still; waits up to 50 ms and tries again later, and once,
    /// when it opens the queue before it turns, as long as a client.
    case supervisor
    /// A command that only looks.
    case reader

    var busyTimeout: Duration { self == .supervisor ? .milliseconds(50) : Self.patience }

    /// How long opening waits, whoever opens: many that start together take turns.
    static let patience = Duration.seconds(30)
  }

  /// Laws of the queue that its users may set.
  public struct Options: Sendable {
    /// How long a call waits for other processes; nil for what the role says.
    public var busyTimeout: Duration?
    /// How long a job waits after a transient failure.
    public var backoff = Backoff()
    /// How many crashes put a job into quarantine.
    public var crashLimit = 3

    /// The usual options.
    public init() {}
  }

  /// The path of the queue file.
  public let path: String
  /// How many crashes put a job into quarantine.
  public var crashLimit: Int { options.crashLimit }
  let options: Options
  let connection: Connection
  /// What the write transaction that is open has counted.
  var counters = Counters()
  var names = Names()
  var rows = RowIDs()
  /// The file as it was when ``checkFile()`` looked last.
  var seenFile: FileFacts?

  /// Opens the queue at `path`, and makes it where it does not exist, unless to read only.
  public init(path: String, role: Role, options: Options = Options()) throws {
    self.path = path
    self.options = options
    let patience = options.busyTimeout ?? Role.patience
    try Self.refuseWhatIsNoFile(at: path)
    self.connection = try Self.translating(path) {
      switch role {
      case .reader: try Self.openForReading(path, patience)
      case .client, .supervisor: try Self.openForWriting(path, patience)
      }
    }
    connection.setBusyTimeout(options.busyTimeout ?? role.busyTimeout)
  }
}

// MARK: - Opening

extension JobStore {
  private static func openForWriting(_ path: String, _ timeout: Duration) throws -> Connection {
    // A directory that cannot be made is reported by the opening, which then fails.
    try? FileManager.default.createDirectory(
      atPath: directory(of: path), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try refuseNetworkFileSystem(of: path)
    let connection = try Connection(path: path, mode: .create, busyTimeout: timeout)
    try connection.preparing(within: timeout) {
      // Before anything is written: the file may be another program's.
      let isNew = try schema.version(of: connection) == 0
      // Would take the write lock, and can be chosen only as long as the file is empty.
      if isNew { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
      try connection.execute(pragmas)
      try connection.enterWAL()
      try schema.apply(to: connection)
    }
    return connection
  }

  private static func openForReading(_ path: String, _ timeout: Duration) throws -> Connection {
    guard FileManager.default.fileExists(atPath: path) else {
      throw QueueError(
        .missing, "\(path): no queue there; `keymill submit` makes one, --db names another")
    }
    try refuseNetworkFileSystem(of: path)
    let connection = try Connection(path: path, mode: .readOnly, busyTimeout: timeout)
    guard try schema.version(of: connection) < schema.version else { return connection }
    // An older file: bring it up to date as a writer would, then read it.
    _ = try openForWriting(path, timeout)
    return try Connection(path: path, mode: .readOnly, busyTimeout: timeout)
  }

  /// What each writing connection sets: deleted rows need no wiping, the log shrinks back to 64 MB.
  private static let pragmas = """
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = OFF;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -16384;
    PRAGMA journal_size_limit = \(logLimit);
    """

  /// What the write-ahead log shrinks back to, in bytes.
  static let logLimit: Int64 = 64 << 20

  /// SQLite's own words for these are an error of the disk.
  private static func refuseWhatIsNoFile(at path: String) throws {
    let url = URL(filePath: path).resolvingSymlinksInPath()
    // False for a link to what is not there yet, which is made.
    guard FileManager.default.fileExists(atPath: path),
      let kind = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
        as? FileAttributeType, kind != .typeRegular
    else { return }
    let what = kind == .typeDirectory ? "a directory" : "no regular file"
    throw QueueError(.notAQueue, "\(path): not a queue file (\(what)); choose another with --db")
  }

  private static func refuseNetworkFileSystem(of path: String) throws {
    guard let name = Connection.networkFileSystem(holding: directory(of: path)) else { return }
    throw QueueError(
      .networkFileSystem,
      "\(path): on a network file system (\(name)), where locks do not hold; "
        + "choose a local path with --db")
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

// MARK: - Transactions and errors

extension JobStore {
  /// Runs `body` in one write transaction.
  @discardableResult
  func write<Result>(_ synchronous: Synchronous, _ body: () throws -> Result) throws -> Result {
    try Self.translating(path) {
      try refuseMoved()
      try connection.setSynchronous(synchronous)
      do {
        return try connection.transaction(.immediate) {
          let result = try body()
          try counters.flush(to: connection)
          return result
        }
      } catch {
        // What was numbered and looked up in a transaction that is undone may be something else next.
        counters = Counters()
        names = Names()
        rows = RowIDs()
        throw error
      }
    }
  }

  /// Runs `body`, which reads by a single statement.
  func read<Result>(_ body: () throws -> Result) throws -> Result {
    try Self.translating(path, body)
  }

  /// Runs `body`, which reads by several statements that must see the same moment.
  func readTogether<Result>(_ body: () throws -> Result) throws -> Result {
    try Self.translating(path) { try connection.transaction(.deferred, body) }
  }

  private static func translating<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw QueueError(error, path: path)
    } catch let error as SchemaError {
      throw QueueError(error, path: path)
    }
  }
}

// MARK: - Care of the file

extension JobStore {
  /// A number that changes when another process commits; for a look once a second.
  public func dataVersion() throws -> Int64 { try read { try connection.dataVersion() } }

  /// Empties the write-ahead log; for an idle moment.
  ///
  /// - Returns: false when another process kept it from that.
  @discardableResult
  public func checkpoint() throws -> Bool { try read { try connection.checkpoint() } }
}
