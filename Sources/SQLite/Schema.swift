/// The shape of a database, as the steps that lead to it from an empty file.
///
/// The file's `user_version` counts the steps it has taken, its `application_id` says whose it is.
public struct Schema: Sendable {
  /// Marks the files of this schema among SQLite's.
  public let applicationID: Int32
  /// The steps, oldest first; one that was released never changes.
  public let migrations: [Migration]

  /// Makes a schema of its steps.
  public init(applicationID: Int32, migrations: [Migration]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// The version a file has after all steps.
  public var version: Int { migrations.count }

  /// Reads which version a file has; 0 is an empty file.
  ///
  /// - Throws: `SchemaError` when the file belongs to another program or a newer version of this one.
  public func version(of connection: Connection) throws -> Int {
    // All of it at one moment: another process may be taking steps.
    guard connection.isInTransaction else {
      return try connection.transaction(.deferred) { try version(of: connection) }
    }
    let found = Int(try connection.integer("PRAGMA user_version"))
    let owner = try connection.integer("PRAGMA application_id")
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard owner == Int64(applicationID) || (isEmpty && found == 0 && owner == 0) else {
      throw SchemaError.foreign(applicationID: owner)
    }
    guard found <= version else { throw SchemaError.newer(found: found, known: version) }
    return found
  }

  /// Takes the steps that a file lacks, each in a transaction of its own.
  ///
  /// Any number of processes may do this at once.
  public func apply(to connection: Connection) throws {
    while try version(of: connection) < version {
      try connection.transaction(.immediate) {
        // Once more under the write lock: another process may have gone ahead.
        let found = try version(of: connection)
        guard found < version else { return }
        try migrations[found].take(on: connection)
        try connection.execute(
          "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(found + 1)")
      }
    }
  }
}

/// One step of a schema: an SQL script, and what SQL alone cannot say.
public struct Migration: Sendable {
  private let script: String
  private let finish: (@Sendable (Connection) throws -> Void)?

  /// Makes a step of a script and of what is done after it, in the same transaction.
  public init(_ script: String, finish: (@Sendable (Connection) throws -> Void)? = nil) {
    self.script = script
    self.finish = finish
  }

  fileprivate func take(on connection: Connection) throws {
    try connection.execute(script)
    try finish?(connection)
  }
}

/// Why a file cannot be used with a schema.
public enum SchemaError: Error, Hashable, Sendable {
  /// A newer version of the program wrote it.
  case newer(found: Int, known: Int)
  /// Another program wrote it.
  case foreign(applicationID: Int64)
}
