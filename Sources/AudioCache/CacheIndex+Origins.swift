import Digests
import struct FoundationEssentials.Date
internal import SQLite

/// A content and the origin that led to it, as the index has them.
struct OriginRow: Hashable {
  var content: ContentRow
  let validators: Validators
  let checkedAtMS: Int64
}

extension CacheIndex {
  /// What an origin leads to.
  func origin(_ key: SHA256Digest) throws -> OriginRow? {
    try connection.first(Self.originByKey, key.bytes) { row in
      ContentRow(row).map { content in
        OriginRow(
          content: content, validators: Validators(row, from: 8), checkedAtMS: row[13])
      }
    } ?? nil
  }

  /// The origins that lead to a content.
  func origins(of content: Int64) throws -> [KnownOrigin] {
    try connection.query(Self.originsByContent, content) { row in
      Origin(kind: row[0], location: row[1]).map { origin in
        KnownOrigin(
          origin: origin, validators: Validators(row, from: 2),
          checkedAt: Date(millisecondsSince1970: row[7]))
      }
    }.compactMap(\.self)
  }

  /// Lets an origin lead to a content, whatever it led to before.
  func put(_ origin: Origin, _ validators: Validators, content: Int64, nowMS: Int64) throws {
    try connection.run(
      Self.putOrigin, origin.key.bytes, origin.kind.rawValue, origin.location, validators.etag,
      validators.lastModified, validators.size, validators.modifiedNanoseconds,
      validators.inode.map { Int64(bitPattern: $0) }, nowMS, content)
  }

  /// Notes that an origin still has the content it had.
  func confirm(_ key: SHA256Digest, nowMS: Int64) throws {
    try connection.run(Self.confirmOrigin, nowMS, key.bytes)
  }

  private static let validatorColumns = "etag, last_modified, origin.size, mtime, inode"
  private static let originByKey = SQL(
    """
    SELECT id, digest, extension, content.size, cost, stored_at, used_at, expires_at,
      \(validatorColumns), checked_at
    FROM origin JOIN content ON content.id = origin.content WHERE key = ?1
    """)
  private static let originsByContent = SQL(
    """
    SELECT kind, location, \(validatorColumns), checked_at FROM origin
    WHERE content = ?1 ORDER BY checked_at DESC
    """)
  private static let putOrigin: SQL = """
    INSERT INTO origin (key, kind, location, etag, last_modified, size, mtime, inode, checked_at,
      content)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (key) DO UPDATE SET
      etag = excluded.etag, last_modified = excluded.last_modified, size = excluded.size,
      mtime = excluded.mtime, inode = excluded.inode, checked_at = excluded.checked_at,
      content = excluded.content
    """
  private static let confirmOrigin: SQL = "UPDATE origin SET checked_at = ?1 WHERE key = ?2"
}

extension Validators {
  /// Reads the five columns of validators, the first of which is `column`.
  fileprivate init(_ row: borrowing Statement, from column: Int) {
    self.init(etag: row[column], lastModified: row[column + 1])
    size = row[column + 2]
    modifiedNanoseconds = row[column + 3]
    inode = (row[column + 4] as Int64?).map { UInt64(bitPattern: $0) }
  }
}
