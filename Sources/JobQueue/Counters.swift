internal import SQLite

/// What a write transaction changes of the file's counters; written once, before its commit.
struct Counters {
  /// How many jobs came into a state, less those that left it.
  private var jobs: [Place: Int] = [:]
  /// The last numbers given, once they were looked up.
  private var numbers: [Numbered: Int64] = [:]

  private struct Place: Hashable {
    let queue: Int64
    let state: JobState
  }

  /// What is numbered.
  enum Numbered: String, CaseIterable {
    case job, event
  }

  /// Counts jobs of a queue from one state, if they had one, to another, if they keep one.
  mutating func move(_ count: Int = 1, of queue: Int64, from old: JobState?, to new: JobState?) {
    if let old { jobs[Place(queue: queue, state: old), default: 0] -= count }
    if let new { jobs[Place(queue: queue, state: new), default: 0] += count }
  }

  /// Gives the next number, never given before.
  mutating func next(_ what: Numbered, _ connection: Connection) throws -> Int64 {
    let last = try numbers[what] ?? Self.last(what, connection)
    numbers[what] = last + 1
    return last + 1
  }

  /// Writes the changes down, and knows of none after that.
  mutating func flush(to connection: Connection) throws {
    for (place, change) in jobs where change != 0 {
      try connection.run(Self.add, place.queue, place.state.name, change)
    }
    for (what, last) in numbers { try connection.run(Self.set, what.rawValue, last) }
    self = Counters()
  }

  /// The last number given.
  static func last(_ what: Numbered, _ connection: Connection) throws -> Int64 {
    try connection.first(select, what.rawValue) { row in row[0] } ?? 0
  }

  private static let select: SQL = "SELECT value FROM counter WHERE queue = 0 AND name = ?"
  private static let add: SQL = """
    INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value
    """
  private static let set: SQL = """
    INSERT INTO counter VALUES (0, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value
    """
}
