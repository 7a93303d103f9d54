internal import Platform
internal import SQLite

/// Why the index of a cache could not be used, in words for people.
public struct IndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error that callers tell apart.
  public enum Kind: Hashable, Sendable {
    /// Another process holds it for too long; the same call may work later.
    case busy
    /// It is damaged or no database at all; it can be made again from the files.
    case damaged
    /// It is another program's.
    case foreign
    /// A newer version of keymill wrote it.
    case newer
    /// No space is left for it.
    case full
    /// The operating system failed.
    case io
  }

  /// The kind of error.
  public let kind: Kind
  /// What is wrong, where, and what to do about it.
  public let description: String

  private init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: SQLiteError, path: String) {
    switch error {
    case SQLiteError.Code.busy:
      self.init(.busy, "\(path): the cache's index is locked by another process; try again")
    case SQLiteError.Code.corrupt, SQLiteError.Code.notADatabase:
      self.init(
        .damaged,
        "\(path): the cache's index is damaged (\(error.message)); "
          + "`keymill cache verify` makes it again from the files")
    case SQLiteError.Code.full: self.init(full: path)
    case SQLiteError.Code.ioError where Self.isFull(path),
      SQLiteError.Code.cannotOpen where Self.isFull(path):
      self.init(full: path)
    case SQLiteError.Code.cannotOpen, SQLiteError.Code.readOnly:
      self.init(
        .io,
        "\(path): the cache's index may not be opened or written by this user; change that, or choose "
          + "another cache with $KEYMILL_CACHE")
    default:
      self.init(.io, "\(path): the cache's index cannot be used: \(error.message)")
    }
  }

  private init(full path: String) {
    self.init(
      .full,
      "\(path): no space left for the cache's index; free some and try again, as with "
        + "`keymill cache prune --max-size`")
  }

  /// Whether too little is free beside a file for the 32 KiB that SQLite shares between processes: where
  /// that cannot be made it does not say why.
  private static func isFull(_ path: String) -> Bool {
    (try? Files.freeSpace(Files.parent(of: path))).map { $0 < 65_536 } ?? false
  }

  init(_ error: SchemaError, path: String) {
    switch error {
    case .newer(let found, let known):
      self.init(
        .newer,
        "\(path): written by a newer keymill (format \(found), this one knows \(known)); "
          + "install that version, or choose another cache with $KEYMILL_CACHE")
    case .foreign:
      self.init(
        .foreign,
        "\(path): a database of another program where the cache's index should be; "
          + "`keymill cache verify` puts an index in its place")
    }
  }
}
