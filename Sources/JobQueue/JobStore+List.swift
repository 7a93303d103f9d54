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
    try read { try connection.first("\(Job.select) WHERE j.id = ?", id) { try Job(row: $0) } }
  }

  /// The result document that a completed job left, if any.
  public func result(of id: Job.ID) throws -> String? {
    try read {
      try connection.first("SELECT result FROM job_body WHERE job_id = ?", id) { row in
        row[0] as String?
      } ?? nil
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

  /// The job with a number, which somebody named.
  func existingJob(_ id: Job.ID) throws -> Job {
    let job = try connection.first("\(Job.select) WHERE j.id = ?", id) { try Job(row: $0) }
    guard let job else { throw QueueError.noSuchJob(id) }
    return job
  }

  private func list(_ filter: JobFilter, in state: JobState?) throws -> [Job] {
    let states = filter.states.map { String($0.rawValue) }.sorted().joined(separator: ", ")
    let statement = try connection.prepare(
      """
      \(Job.select.replacing("FROM job j", with: "FROM job j \(Self.index(for: state))"))
      WHERE \(state.map { "j.state = \($0.rawValue)" } ?? (states.isEmpty ? "1" : "j.state IN (\(states))"))
        AND (?1 IS NULL OR q.name = ?1) AND (?2 IS NULL OR b.batch = ?2)
        AND (?3 IS NULL OR j.id \(filter.newestFirst ? "<" : ">") ?3)
      ORDER BY j.id \(filter.newestFirst ? "DESC" : "ASC") LIMIT ?4
      """)
    try statement.bind(filter.queue, filter.batch, filter.beyond, filter.limit)
    var jobs: [Job] = []
    while try statement.step() { jobs.append(try Job(row: statement)) }
    return jobs
  }

  private static func index(for state: JobState?) -> String {
    switch state {
    case .blocked: "INDEXED BY job_blocked"
    case .scheduled: "INDEXED BY job_due"
    case .available: "INDEXED BY job_ready"
    case .running: "INDEXED BY job_running"
    case .completed, .failed, .cancelled, .quarantined: "INDEXED BY job_ended"
    case nil: ""
    }
  }
}
