internal import SQLite

extension CacheIndex {
  /// An order in which contents leave.
  enum Departure {
    /// The one used least recently first.
    case leastUsed
    /// Those whose time was over at a moment in milliseconds since 1970, the longest first.
    case expired(atMS: Int64)
  }

  /// Where a walk in such an order stands; removing what it passed does not disturb it.
  struct DepartureCursor {
    fileprivate var timeMS = Int64.min
    fileprivate var id = Int64.min

    /// Before the first.
    static let start = DepartureCursor()
  }

  /// The next contents to leave.
  func next(
    _ departure: Departure, after cursor: inout DepartureCursor, limit: Int
  ) throws -> [ContentRow] {
    let (timeMS, id) = (cursor.timeMS, cursor.id)
    let rows: [ContentRow?]
    switch departure {
    case .leastUsed:
      rows = try connection.query(Self.leastUsed, timeMS, id, limit) { row in ContentRow(row) }
    case .expired(let nowMS):
      rows = try connection.query(Self.expired, timeMS, id, limit, nowMS) { row in ContentRow(row) }
    }
    let found = rows.compactMap(\.self)
    guard let last = found.last else { return [] }
    cursor.id = last.id
    if case .expired = departure {
      cursor.timeMS = last.expiresAtMS ?? timeMS
    } else {
      cursor.timeMS = last.usedAtMS
    }
    return found
  }

  private static let leastUsed = SQL(
    """
    SELECT \(ContentRow.columns) FROM content WHERE (used_at, id) > (?1, ?2)
    ORDER BY used_at, id LIMIT ?3
    """)
  private static let expired = SQL(
    """
    SELECT \(ContentRow.columns) FROM content
    WHERE expires_at IS NOT NULL AND (expires_at, id) > (?1, ?2) AND expires_at <= ?4
    ORDER BY expires_at, id LIMIT ?3
    """)
}
