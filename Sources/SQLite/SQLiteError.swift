internal import CSQLite

/// An error that SQLite reported: which call failed, on what, and why.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The primary result code.
  public let code: Code
  /// The extended result code, whose low byte is the primary one.
  public let extendedCode: Code
  /// The C function that failed.
  public let call: String
  /// The SQL text or the path that it was called with.
  public let subject: String
  /// SQLite's own words.
  public let message: String

  init(_ extendedCode: Int32, call: String, subject: String, message: String) {
    self.code = Code(rawValue: extendedCode & 0xff)
    self.extendedCode = Code(rawValue: extendedCode)
    self.call = call
    self.subject = subject
    self.message = message
  }

  /// The message, the code, the call and its subject on one line.
  public var description: String {
    "\(message) (code \(extendedCode.rawValue)) in \(call): \(subject)"
  }
}

extension SQLiteError {
  /// A result code of SQLite, primary or extended; unknown ones survive.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number in `sqlite3.h`.
    public let rawValue: Int32

    /// Makes the code with the number it has in `sqlite3.h`.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Another connection holds a lock that is needed.
    public static let busy = Code(rawValue: SQLITE_BUSY)
    /// The file or its directory may not be written.
    public static let readOnly = Code(rawValue: SQLITE_READONLY)
    /// The operating system failed to read or write.
    public static let ioError = Code(rawValue: SQLITE_IOERR)
    /// The file is damaged.
    public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    /// No space is left.
    public static let full = Code(rawValue: SQLITE_FULL)
    /// The file cannot be opened.
    public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    /// A constraint of the schema forbids the change.
    public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    /// A value occurs twice that must be unique (extended code).
    public static let notUnique = Code(rawValue: SQLITE_CONSTRAINT | 8 << 8)
    /// The file is no SQLite database.
    public static let notADatabase = Code(rawValue: SQLITE_NOTADB)

    /// Matches an error by its primary or its extended code, so that `catch` can name it.
    public static func ~= (code: Code, error: any Error) -> Bool {
      guard let error = error as? SQLiteError else { return false }
      return error.code == code || error.extendedCode == code
    }
  }
}
