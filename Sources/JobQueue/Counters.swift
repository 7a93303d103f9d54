internal import SQLite

/// What a write transaction numbers and counts.
///
/// Only final states are counted in the file: living jobs have indexes to count them by.
struct Counters {
  /// How many jobs came into a final state, less those that left it; written before the commit.
  private var changes: [Place: Int] = [:]
  /// The last numbers given, once they were looked up.
  private var last: (job: Int64, event: Int64)?

  private struct Place: Hashable {
    let queue: Int64
    let state: JobState
  }

  /// Counts a job of a queue from one state, if it had one, to another, if it keeps one.
  mutating func move(of queue: Int64, from old: JobState?, to new: JobState?) {
    if let old, old.isFinal { changes[Place(queue: queue, state: old), default: 0] -= 1 }
    if let new, new.isFinal { changes[Place(queue: queue, state: new), default: 0] += 1 }
  }

  /// Gives a job its number, never given before.
  mutating func nextJob(_ connection: Connection) throws -> Int64 {
    var numbers = try last ?? Self.lastNumbers(connection)
    numbers.job += 1
    last = numbers
    return numbers.job
  }

  /// Gives an event its number, never given before.
  mutating func nextEvent(_ connection: Connection) throws -> Int64 {
    var numbers = try last ?? Self.lastNumbers(connection)
    numbers.event += 1
    last = numbers
    return numbers.event
  }

  /// Writes the changes down, and knows of none after that.
  mutating func flush(to connection: Connection) throws {
    for (place, change) in changes where change != 0 {
      try connection.run(Self.add, place.queue, place.state.name, change)
    }
    self = Counters()
  }

  /// Writes the last numbers down, before rows are deleted that may be the ones that have them.
  static func keepNumbers(_ connection: Connection) throws {
    let numbers = try lastNumbers(connection)
    try connection.run(keep, numbers.job, numbers.event)
  }

  private static func lastNumbers(_ connection: Connection) throws -> (job: Int64, event: Int64) {
    try connection.first(selectNumbers) { row in (row[0], row[1]) } ?? (0, 0)
  }

  private static let selectNumbers: SQL = """
    SELECT
      max(ifnull((SELECT max(id) FROM job), 0),
        ifnull((SELECT value FROM counter WHERE queue = 0 AND name = 'job'), 0)),
      max(ifnull((SELECT max(id) FROM event), 0),
        ifnull((SELECT value FROM counter WHERE queue = 0 AND name = 'event'), 0))
    """
  private static let add: SQL = """
    INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value
    """
  private static let keep: SQL = """
    INSERT INTO counter VALUES (0, 'job', ?), (0, 'event', ?)
    ON CONFLICT DO UPDATE SET value = excluded.value
    """
}
