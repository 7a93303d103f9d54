internal import FoundationEssentials
internal import SQLite

extension JobStore {
  /// The attempts of a job in their order, the running one last.
  public func attempts(of id: Job.ID) throws -> [Attempt] {
    try readTogether {
      guard let job = try findJob(id) else { return [] }
      let events = try storedEvents(of: id)
      let story = events.isEmpty ? JobEvent.story(of: job).map { StoredEvent(event: $0) } : events
      return Attempt.told(by: story)
    }
  }

  /// What happened to a job, oldest first; of a compacted one, what its row still tells.
  public func events(of id: Job.ID) throws -> [JobEvent] {
    try readTogether {
      guard let job = try findJob(id) else { return [] }
      let events = try storedEvents(of: id)
      return events.isEmpty ? JobEvent.story(of: job) : events.map(\.event)
    }
  }

  /// What happened after the event `cursor`, oldest first; 0 for the beginning.
  public func events(after cursor: Int64, limit: Int = 1000) throws -> [JobEvent] {
    try read {
      try connection.query(
        "SELECT \(JobEvent.columns) FROM event e WHERE id > ? ORDER BY id LIMIT ?", cursor, limit
      ) { row in try JobEvent(row: row) }
    }
  }
}
