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
      \(Job.select) \(try state.map(source) ?? "")
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
    if let state {
      let isShared = state == .blocked || state.isFinal
      return "state = \(state.rawValue)\(isShared ? " AND \(inStateIndex)" : "")"
    }
    if filter.states.isEmpty { return "1" }
    let states = filter.states.map { String($0.rawValue) }.sorted().joined(separator: ", ")
    return "state IN (\(states))"
  }

  /// Where to look for the jobs of a state in the order of their numbers.
  private func source(of state: JobState) throws -> String {
    switch state {
    case .running: return "INDEXED BY job_running"
    case .blocked, .completed, .failed, .cancelled, .quarantined:
      return "INDEXED BY job_state"
    case .scheduled, .available:
      // Their index has another order, so all of it is sorted: of a large backlog the first so many
      // are found sooner by going through the jobs.
      let index = state == .scheduled ? "job_due" : "job_ready"
      let isLarge = try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM job WHERE state = \(state.rawValue) LIMIT 1 OFFSET 10000)")
      return isLarge == 1 ? "NOT INDEXED" : "INDEXED BY \(index)"
    }
  }
}
