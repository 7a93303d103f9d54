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
  /// Whether nothing was made of it yet.
  let isOnTrial: Bool

  /// The columns that `init(_:)` reads, in their order.
  static let columns =
    "content.id, digest, extension, content.size, cost, stored_at, used_at, expires_at, on_trial"

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
    isOnTrial = row[8]
  }

  /// Whether its time is over.
  func isExpired(at nowMS: Int64) -> Bool { expiresAtMS.map { $0 <= nowMS } ?? false }
}

extension CacheIndex {
  /// The content with a digest.
  func content(_ digest: SHA256Digest) throws -> ContentRow? {
    let row =
      try connection.first(Self.contentByID, digest.number) { row in ContentRow(row) } ?? nil
    return row?.digest == digest ? row : nil
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
    // The first byte is the highest of the number, so that a shard is a range of numbers.
    let first = Int64(bitPattern: UInt64(shard) << 56)
    try connection.forEach(Self.contentsInShard, first, first | (1 << 56 - 1)) { row in
      if let content = ContentRow(row) { contents[content.digest] = content }
    }
    return contents
  }

  /// Adds a content or brings it up to date; of two deadlines the later counts, and what was off trial
  /// stays so.
  func put(
    _ track: StoredTrack, cost: Int64, nowMS: Int64, expiresAtMS: Int64?, isOnTrial: Bool = false
  ) throws {
    let digest = track.digest.bytes
    // With the origins that led to it: they must not lead to this one.
    try connection.run(Self.deleteNamesake, track.digest.number, digest)
    try connection.run(
      Self.upsert, track.digest.number, digest, track.fileExtension, track.size, cost, nowMS, nowMS,
      expiresAtMS, isOnTrial)
  }

  /// Ends the trial of a content, which may then stay for ever; nothing where it is on none.
  func accept(_ digest: SHA256Digest) throws {
    try connection.run(Self.endTrial, digest.number, digest.bytes)
  }

  /// Whether the time of any content is over.
  func hasExpired(atMS nowMS: Int64) throws -> Bool {
    try connection.first(Self.anyExpired, nowMS) { _ in true } ?? false
  }

  /// Forgets a content, and with it the origins that led to it.
  func removeContent(_ id: Int64) throws { try connection.run(Self.deleteContent, id) }

  /// Notes when contents were used; a time before the one that is known changes nothing.
  func noteUses(_ uses: [Int64: Int64]) throws {
    for (id, time) in uses { try connection.run(Self.setUse, time, id) }
  }

  private static let contentByID = SQL("SELECT \(ContentRow.columns) FROM content WHERE id = ?1")
  private static let contentsByUse = SQL(
    "SELECT \(ContentRow.columns) FROM content ORDER BY used_at DESC LIMIT ?1")
  private static let contentsInShard = SQL(
    "SELECT \(ContentRow.columns) FROM content WHERE id BETWEEN ?1 AND ?2")
  private static let deleteNamesake: SQL = "DELETE FROM content WHERE id = ?1 AND digest <> ?2"
  private static let deleteContent: SQL = "DELETE FROM content WHERE id = ?1"
  private static let endTrial: SQL =
    "UPDATE content SET on_trial = 0, expires_at = NULL WHERE id = ?1 AND digest = ?2 AND on_trial"
  private static let anyExpired: SQL =
    "SELECT 1 FROM content WHERE expires_at IS NOT NULL AND expires_at <= ?1 LIMIT 1"
  private static let setUse: SQL = "UPDATE content SET used_at = ?1 WHERE id = ?2 AND used_at < ?1"
  private static let upsert: SQL = """
    INSERT INTO content (id, digest, extension, size, cost, stored_at, used_at, expires_at, on_trial)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (id) DO UPDATE SET
      extension = excluded.extension, size = excluded.size, cost = excluded.cost,
      on_trial = on_trial AND excluded.on_trial,
      used_at = max(used_at, excluded.used_at),
      expires_at = CASE WHEN expires_at IS NULL OR excluded.expires_at IS NULL THEN NULL
        ELSE max(expires_at, excluded.expires_at) END
    """
}

extension CacheIndex {
  /// Adds a file that was found in the store: it costs its size and never expires.
  func adopt(_ file: StoredTrack, nowMS: Int64) throws {
    try put(file, cost: CacheLimits.bounded(file.size), nowMS: nowMS, expiresAtMS: nil)
  }
}

extension SHA256Digest {
  /// The first 8 bytes, as the number that a row has in the index.
  var number: Int64 { Int64(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }) }
}
