internal import Glibc
internal import SQLite

/// Why the queue did not do what it was asked to, in words for people.
public struct QueueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public let code: Code
  /// What is wrong, where, and what to do about it.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension QueueError {
  /// A kind of error that callers tell apart.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Makes the code with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Another process holds the queue for too long; the same call may work later.
    public static let busy = Code(rawValue: "busy")
    /// There is no queue at the path.
    public static let missing = Code(rawValue: "missing")
    /// The file is something else than a queue.
    public static let notAQueue = Code(rawValue: "not-a-queue")
    /// The file was written by a newer version.
    public static let newerSchema = Code(rawValue: "newer-schema")
    /// The file lies where locks do not work.
    public static let networkFileSystem = Code(rawValue: "network-file-system")
    /// The file is damaged.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The file or its directory may not be written.
    public static let readOnly = Code(rawValue: "read-only")
    /// No space is left for the file.
    public static let full = Code(rawValue: "full")
    /// The file was moved or deleted while it was open.
    public static let moved = Code(rawValue: "moved")
    /// The operating system failed.
    public static let io = Code(rawValue: "io")
    /// There is no such job.
    public static let noSuchJob = Code(rawValue: "no-such-job")
    /// There is no such recurring job.
    public static let noSuchSchedule = Code(rawValue: "no-such-schedule")
    /// The state of things does not allow it.
    public static let notAllowed = Code(rawValue: "not-allowed")

    /// Matches an error by its code, so that `catch` can name it.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? QueueError)?.code == code
    }
  }
}

extension QueueError {
  static func noSuchJob(_ id: Job.ID) -> QueueError {
    QueueError(.noSuchJob, "no job \(id) in the queue; `keymill list` shows what is there")
  }

  static func noSuchSchedule(_ name: String) -> QueueError {
    QueueError(
      .noSuchSchedule, "no schedule “\(name)”; `keymill schedule list` shows what is there")
  }

  /// Words an error of SQLite for the queue file at `path`.
  init(_ error: SQLiteError, path: String) {
    switch error {
    case SQLiteError.Code.busy:
      self.init(
        .busy,
        "\(path): the queue is locked by another process; try again, "
          + "or look with `fuser` for one that is stopped")
    case SQLiteError.Code.notADatabase:
      self.init(
        .notAQueue, "\(path): not a queue file (no SQLite database); choose another with --db")
    case SQLiteError.Code.corrupt:
      self.init(
        .corrupt,
        "\(path): the queue file is damaged (\(error.message)); "
          + "stop the workers and restore a backup, or move the file away to begin anew")
    case SQLiteError.Code.readOnly:
      self.init(
        .readOnly,
        "\(path): the queue file is read-only; give write permission on it and its directory, "
          + "or choose another with --db")
    case SQLiteError.Code.full:
      self.init(.full, "\(path): no space left for the queue; free some and try again")
    case SQLiteError.Code.cannotOpen where Self.isReadOnly(path):
      // Even who only reads has to share an index beside the file.
      self.init(
        .readOnly,
        "\(path): the queue's directory is read-only, and keymill writes beside the queue; "
          + "give write permission on it, or choose another with --db")
    case SQLiteError.Code.cannotOpen:
      self.init(
        .io,
        "\(path): cannot open the queue (\(error.message)); "
          + "check that its directory exists and can be written, or choose another with --db")
    case _ where error.extendedCode.rawValue == Self.sharedMemoryDoesNotFit:
      self.init(.full, "\(path): no space left for the queue; free some and try again")
    default:
      self.init(.io, "\(path): \(error)")
    }
  }

  /// Whether a queue's directory is there and may not be written by this user, or by anybody.
  private static func isReadOnly(_ path: String) -> Bool {
    let directory = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    let name = directory.isEmpty ? "/" : String(directory)
    // The call only reads the path.
    return unsafe access(name, F_OK) == 0 && access(name, W_OK) != 0
  }

  /// SQLITE_IOERR_SHMSIZE: the file of the shared index could not grow.
  private static let sharedMemoryDoesNotFit: Int32 = 4874

  /// Words why a file does not fit the queue's schema.
  init(_ error: SchemaError, path: String) {
    switch error {
    case .newer(let found, let known):
      self.init(
        .newerSchema,
        "\(path): written by a newer keymill (format \(found), this one knows \(known)); "
          + "install that version, or choose another queue with --db")
    case .foreign:
      self.init(
        .notAQueue,
        "\(path): a database of another program, not a queue; choose another file with --db")
    }
  }
}
