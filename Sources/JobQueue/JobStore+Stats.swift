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
  /// Counts the jobs; the cost grows with the backlog, not with the history.
  public func stats() throws -> QueueStats {
    try readTogether {
      var stats = QueueStats()
      try connection.forEach("SELECT name FROM queue") { stats.queues[$0[0]] = [:] }
      for state in JobState.allCases where !state.isFinal {
        try count(
          """
          SELECT q.name, \(state.rawValue), n FROM queue q
          JOIN (SELECT queue, count(*) AS n FROM job WHERE state = \(state.rawValue) GROUP BY queue)
            ON queue = q.id
          """, into: &stats)
      }
      try count(
        """
        SELECT q.name, e.state, e.jobs FROM ended_count e JOIN queue q ON q.id = e.queue
        WHERE e.jobs > 0
        """, into: &stats)
      return stats
    }
  }

  private func count(_ sql: String, into stats: inout QueueStats) throws {
    try connection.forEach(sql) { row in
      stats.queues[row[0], default: [:]][try row.state(1)] = row[2]
    }
  }
}
