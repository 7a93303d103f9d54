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
  /// Counts the jobs; the cost grows with neither the backlog nor the history.
  public func stats() throws -> QueueStats {
    try readTogether {
      var stats = QueueStats()
      try connection.forEach("SELECT name FROM queue") { stats.queues[$0[0]] = [:] }
      try connection.forEach(
        """
        SELECT q.name, c.name, c.value FROM counter c JOIN queue q ON q.id = c.queue
        WHERE c.value > 0
        """
      ) { row in
        guard let state = JobState(name: row[1]) else { return }
        stats.queues[row[0], default: [:]][state] = row[2]
      }
      return stats
    }
  }
}
