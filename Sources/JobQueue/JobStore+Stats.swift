internal import SQLite

/// How many jobs are in which state, over all and by queue.
public struct QueueStats: Hashable, Sendable {
  /// The counts of each queue; a state without jobs may be missing.
  public var queues: [String: [JobState: Int]] = [:]

  /// The jobs in a state over all queues.
  public func count(_ state: JobState) -> Int {
    queues.values.reduce(0) { $0 + $1[state, default: 0] }
  }
}

extension JobStore {
  /// Counts the jobs; the cost grows with the backlog, by some 10 ms for a million, not with the
  /// history.
  public func stats() throws -> QueueStats {
    try readTogether {
      var stats = QueueStats()
      try connection.forEach("SELECT name FROM queue") { stats.queues[$0[0]] = [:] }
      try connection.forEach(Self.selectCounts) { row in
        guard let state = JobState(name: row[1]) else { return }
        stats.queues[row[0], default: [:]][state] = row[2]
      }
      return stats
    }
  }

  static let selectCounts = SQL(
    """
    SELECT q.name, c.name, c.value FROM queue q JOIN (
      SELECT queue, name, value FROM counter WHERE value > 0
      UNION ALL SELECT queue, 'blocked', count(*)
        FROM job INDEXED BY job_state WHERE state = 0 AND \(inStateIndex) GROUP BY queue
      UNION ALL SELECT queue, 'scheduled', count(*) FROM job WHERE state = 1 GROUP BY queue
      UNION ALL SELECT queue, 'available', count(*) FROM job WHERE state = 2 GROUP BY queue
      UNION ALL SELECT queue, 'running', count(*) FROM job WHERE state = 3 GROUP BY queue
    ) c ON c.queue = q.id
    """)
}
