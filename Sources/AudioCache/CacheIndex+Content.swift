import Digests
internal import SQLite

/// A content as the index has it.
struct ContentRow: Hashable {
  let id: Int64
  let digest: SHA256Digest
  let fileExtension: String
  let size: Int64
  let cost: Int64
  let storedAtMS: Int64
  var usedAtMS: Int64
  let expiresAtMS: Int64?

  /// The columns that `init(_:)` reads, in their order.
  static let columns = "id, digest, extension, size, cost, stored_at, used_at, expires_at"

  /// Reads a row; nil for a digest that is none, which only damage can make.
  init?(_ row: borrowing Statement) {
    guard let digest = SHA256Digest(bytes: row[1]) else { return nil }
    id = row[0]
    self.digest = digest
    fileExtension = row[2]
    size = row[3]
    cost = row[4]
    storedAtMS = row[5]
    usedAtMS = row[6]
    expiresAtMS = row[7]
  }

  /// Whether its time is over.
  func isExpired(at nowMS: Int64) -> Bool { expiresAtMS.map { $0 <= nowMS } ?? false }
}

extension CacheIndex {
  /// The content with a digest.
  func content(_ digest: SHA256Digest) throws -> ContentRow? {
    try connection.first(Self.contentByDigest, digest.bytes) { row in ContentRow(row) } ?? nil
  }

  /// Hands out contents, the most recently used first.
  func forEachContent(limit: Int, _ body: (ContentRow) throws -> Void) throws {
    try connection.forEach(Self.contentsByUse, limit) { row in
      if let content = ContentRow(row) { try body(content) }
    }
  }

  /// The contents whose digests begin with a byte, by their digests.
  func contents(inShard shard: UInt8) throws -> [SHA256Digest: ContentRow] {
    var contents: [SHA256Digest: ContentRow] = [:]
    // A blob that goes on is greater than one that ends; 33 bytes are greater than any digest.
    let end = [shard] + [UInt8](repeating: 0xFF, count: SHA256Digest.byteCount)
    try connection.forEach(Self.contentsInShard, [shard], end) { row in
      if let content = ContentRow(row) { contents[content.digest] = content }
    }
    return contents
  }

  /// Adds a content or brings it up to date; of two deadlines the later counts.
  ///
  /// - Returns: Its number.
  @discardableResult
  func put(
    _ track: StoredTrack, cost: Int64, nowMS: Int64, expiresAtMS: Int64?
  ) throws -> Int64 {
    let id: Int64? = try connection.first(
      Self.upsert, track.digest.bytes, track.fileExtension, track.size, cost, nowMS, nowMS,
      expiresAtMS
    ) { row in row[0] }
    return id ?? 0
  }

  /// Forgets a content, and with it the origins that led to it.
  func removeContent(_ id: Int64) throws { try connection.run(Self.deleteContent, id) }

  /// Notes when contents were used; a time before the one that is known changes nothing.
  func noteUses(_ uses: [Int64: Int64]) throws {
    for (id, time) in uses { try connection.run(Self.setUse, time, id) }
  }

  private static let contentByDigest = SQL(
    "SELECT \(ContentRow.columns) FROM content WHERE digest = ?1")
  private static let contentsByUse = SQL(
    "SELECT \(ContentRow.columns) FROM content ORDER BY used_at DESC LIMIT ?1")
  private static let contentsInShard = SQL(
    "SELECT \(ContentRow.columns) FROM content WHERE digest >= ?1 AND digest < ?2")
  private static let deleteContent: SQL = "DELETE FROM content WHERE id = ?1"
  private static let setUse: SQL = "UPDATE content SET used_at = ?1 WHERE id = ?2 AND used_at < ?1"
  private static let upsert: SQL = """
    INSERT INTO content (digest, extension, size, cost, stored_at, used_at, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (digest) DO UPDATE SET
      extension = excluded.extension, size = excluded.size, cost = excluded.cost,
      used_at = max(used_at, excluded.used_at),
      expires_at = CASE WHEN expires_at IS NULL OR excluded.expires_at IS NULL THEN NULL
        ELSE max(expires_at, excluded.expires_at) END
    RETURNING id
    """
}

extension CacheIndex {
  /// Adds a file that was found in the store: it costs its size and never expires.
  func adopt(_ file: StoredTrack, nowMS: Int64) throws {
    try put(file, cost: file.size, nowMS: nowMS, expiresAtMS: nil)
  }
}
