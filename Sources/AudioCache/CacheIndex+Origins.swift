import Digests
import struct FoundationEssentials.Date
internal import SQLite

/// A content and the origin that led to it, as the index has them.
struct OriginRow: Hashable {
  var content: ContentRow
  let validators: Validators
  let checkedAtMS: Int64
  /// Whether it came from a host that is not public.
  let isPrivate: Bool
}

extension CacheIndex {
  /// What an origin leads to.
  func origin(_ origin: Origin) throws -> OriginRow? {
    try connection.first(
      Self.originByID, origin.key.number, origin.kind.rawValue, origin.location
    ) { row in
      ContentRow(row).map { content in
        OriginRow(
          content: content, validators: Validators(row, from: 9), checkedAtMS: row[14],
          isPrivate: row[15])
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
  func put(
    _ origin: Origin, _ validators: Validators, content: SHA256Digest, nowMS: Int64,
    isPrivate: Bool = false
  ) throws {
    try connection.run(
      Self.putOrigin, origin.key.number, origin.kind.rawValue, origin.location, validators.etag,
      validators.lastModified, validators.size, validators.modifiedNanoseconds,
      validators.inode.map { Int64(bitPattern: $0) }, nowMS, content.number,
      isPrivate)
  }

  /// Notes that an origin still has the content it had.
  func confirm(_ origin: Origin, nowMS: Int64) throws {
    try connection.run(
      Self.confirmOrigin, nowMS, origin.key.number, origin.kind.rawValue, origin.location)
  }

  private static let validatorColumns = "etag, last_modified, origin.size, mtime, inode"
  private static let originByID = SQL(
    """
    SELECT \(ContentRow.columns), \(validatorColumns), checked_at, is_private
    FROM origin JOIN content ON content.id = origin.content
    WHERE origin.id = ?1 AND kind = ?2 AND location = ?3
    """)
  private static let originsByContent = SQL(
    """
    SELECT kind, location, \(validatorColumns), checked_at FROM origin
    WHERE content = ?1 ORDER BY checked_at DESC
    """)
  private static let putOrigin: SQL = """
    INSERT OR REPLACE INTO origin (id, kind, location, etag, last_modified, size, mtime, inode, checked_at,
      content, is_private)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """
  private static let confirmOrigin: SQL = """
    UPDATE origin SET checked_at = ?1 WHERE id = ?2 AND kind = ?3 AND location = ?4
    """
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
