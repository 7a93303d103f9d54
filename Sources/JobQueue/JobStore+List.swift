internal import SQLite

/// Which jobs to list.
public struct JobFilter: Hashable, Sendable {
  /// Only these states; none means all.
  public var states: Set<JobState> = []
  /// Only this queue.
  public var queue: String?
  /// Only this batch.
  public var batch: String?
  /// Only jobs beyond this one, in the order of the list; for the next page.
  public var beyond: Job.ID?
  /// Whether the newest come first.
  public var newestFirst = true
  /// At most so many.
  public var limit = 100

  /// Lists the newest 100 jobs.
  public init() {}
}

extension JobStore {
  /// The job with a number, if it is there.
  public func job(_ id: Job.ID) throws -> Job? {
    try read { try findJob(id) }
  }

  /// The result document that a completed job left, if it is still kept.
  public func result(of id: Job.ID) throws -> String? {
    try read {
      try connection.first("SELECT document FROM result WHERE job_id = ?", id) { row in row[0] }
    }
  }

  /// The jobs that a filter lets through, by number.
  public func list(_ filter: JobFilter = JobFilter()) throws -> [Job] {
    try readTogether {
      // One query for each state, since each has an index of its own.
      let sources: [JobState?] =
        filter.states.isEmpty || filter.batch != nil ? [nil] : filter.states.map { $0 }
      let jobs = try sources.flatMap { try list(filter, in: $0) }
      guard sources.count > 1 else { return jobs }
      let sorted = jobs.sorted { filter.newestFirst ? $0.id > $1.id : $0.id < $1.id }
      return Array(sorted.prefix(filter.limit))
    }
  }

  private func list(_ filter: JobFilter, in state: JobState?) throws -> [Job] {
    try connection.query(
      """
      \(Job.select) \(state.map { "INDEXED BY \(Self.index(for: $0))" } ?? "")
      WHERE \(Self.condition(filter, state))
        AND (?1 IS NULL OR queue = (SELECT q.id FROM queue q WHERE q.name = ?1))
        AND \(filter.batch == nil ? "?2 IS NULL" : "batch = ?2")
        AND (?3 IS NULL OR id \(filter.newestFirst ? "<" : ">") ?3)
      ORDER BY id \(filter.newestFirst ? "DESC" : "ASC") LIMIT ?4
      """, filter.queue, filter.batch, filter.beyond, filter.limit
    ) { row in try job(from: row) }
  }

  /// The condition on the state, in the words of the index that is to serve it.
  private static func condition(_ filter: JobFilter, _ state: JobState?) -> String {
    if let state { return "state = \(state.rawValue)\(state.isFinal ? " AND state >= 4" : "")" }
    if filter.states.isEmpty { return "1" }
    let states = filter.states.map { String($0.rawValue) }.sorted().joined(separator: ", ")
    return "state IN (\(states))"
  }

  private static func index(for state: JobState) -> String {
    switch state {
    case .blocked: "job_blocked"
    case .scheduled: "job_due"
    case .available: "job_ready"
    case .running: "job_running"
    case .completed, .failed, .cancelled, .quarantined: "job_ended"
    }
  }
}
