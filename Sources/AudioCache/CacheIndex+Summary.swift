internal import SQLite

/// The sums that the index keeps of its contents.
struct IndexSummary: Hashable {
  let entries: Int
  let bytes: Int64
  let cost: Int64
  let hits: Int64
  let misses: Int64
  /// Whether the files were looked through since the index was made.
  let isComplete: Bool
}

extension CacheIndex {
  /// The sums.
  func summary() throws -> IndexSummary {
    try connection.first(Self.readSummary) { row in
      IndexSummary(
        entries: row[0], bytes: row[1], cost: row[2], hits: row[3], misses: row[4],
        isComplete: row[5])
    } ?? IndexSummary(entries: 0, bytes: 0, cost: 0, hits: 0, misses: 0, isComplete: false)
  }

  /// How many origins it knows.
  func originCount() throws -> Int { Int(try connection.integer("SELECT count(*) FROM origin")) }

  /// How many downloads go on.
  func runningClaimCount() throws -> Int {
    Int(try connection.integer("SELECT count(*) FROM claim WHERE failure IS NULL"))
  }

  /// Adds to the counts of hits and misses.
  func count(hits: Int64, misses: Int64) throws {
    try connection.run("UPDATE summary SET hits = hits + ?1, misses = misses + ?2", hits, misses)
  }

  /// Notes that it knows all files.
  func setComplete() throws { try connection.run("UPDATE summary SET is_complete = 1") }

  private static let readSummary: SQL =
    "SELECT entries, bytes, cost, hits, misses, is_complete FROM summary"
}
