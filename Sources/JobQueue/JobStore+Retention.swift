public import FoundationEssentials
internal import SQLite

extension JobStore {
  /// How long the queue keeps what is over.
  public func retention() throws -> Retention {
    var retention = Retention()
    for (name, path) in Self.retentionSettings {
      guard let value = try setting(name) else { continue }
      retention[keyPath: path] = Int64(value).map { .milliseconds($0) }
    }
    return retention
  }

  /// Chooses how long the queue keeps what is over.
  public func setRetention(_ retention: Retention) throws {
    for (name, path) in Self.retentionSettings {
      try setSetting(name, to: retention[keyPath: path].map { "\($0.milliseconds)" } ?? "never")
    }
  }

  /// Removes what is older than the retention; something to do once an hour.
  @discardableResult
  public func applyRetention(now: Date) throws -> PruneReport {
    let retention = try retention()
    func cutoff(_ age: Duration?) -> Date? {
      age.map { now.addingTimeInterval(-Double($0.milliseconds) / 1000) }
    }
    var report = PruneReport()
    if let time = cutoff(retention.jobs) { report.jobs = try prune(endedBefore: time) }
    if let time = cutoff(retention.details) { report.compacted = try compact(endedBefore: time) }
    if let time = cutoff(retention.requests) {
      report.requests = try forgetRequests(askedBefore: time)
    }
    return report
  }

  private static var retentionSettings: [(String, WritableKeyPath<Retention, Duration?>)] {
    [
      ("retention.jobs", \.jobs), ("retention.details", \.details),
      ("retention.requests", \.requests),
    ]
  }
}

// MARK: - Removing

extension JobStore {
  /// Removes jobs that ended before a time in one of `states`, with all that is known of them, and
  /// counts them; those that have not ended are never removed.
  ///
  /// Answers to their requests stay, see ``Retention/requests``.
  @discardableResult
  public func prune(
    endedBefore time: Date,
    states: Set<JobState> = [.completed, .failed, .cancelled, .quarantined]
  ) throws -> Int {
    var removed = 0
    for state in states.filter(\.isFinal).sorted(by: { $0.rawValue < $1.rawValue }) {
      try inBatches { last in
        let jobs = try read { try endedJobs(state, before: time, after: last) }
        guard !jobs.isEmpty else { return [] }
        try write(.normal) {
          try Counters.keepNumbers(connection)
          removed += try jobs.count { try remove($0, in: state) }
        }
        return jobs
      }
    }
    try read { try giveBackFreePages() }
    return removed
  }

  /// Removes the details of jobs that completed before a time: result documents, and the logs and
  /// events of those that went straight through, of which the job's row tells enough.
  ///
  /// - Returns: how many jobs' events were removed.
  @discardableResult
  public func compact(endedBefore time: Date) throws -> Int {
    var compacted = 0
    try inBatches { last in
      let endings = try read { try completions(before: time, after: last) }
      guard !endings.isEmpty else { return [] }
      try write(.normal) {
        try Counters.keepNumbers(connection)
        compacted += try endings.count { try compact($0.job, $0.attempt) }
      }
      return endings.map(\.event)
    }
    try read { try giveBackFreePages() }
    return compacted
  }

  /// Forgets requests that were answered before a time, as far as their jobs are gone.
  private func forgetRequests(askedBefore time: Date) throws -> Int {
    var forgotten = 0
    while case let batch = try write(
      .normal,
      {
        try connection.run(
          """
          DELETE FROM request WHERE (name, position) IN (SELECT name, position FROM request
            WHERE ended IS NOT NULL AND asked_at < ? LIMIT 1000)
          """, time.milliseconds)
      }), batch > 0
    { forgotten += batch }
    return forgotten
  }

  /// Packs the file anew without its gaps; takes the write lock for as long as copying the file takes,
  /// and as much space again.
  public func vacuum() throws {
    try read {
      try connection.execute("VACUUM")
      try connection.checkpoint()
    }
  }
}

// MARK: - In batches

extension JobStore {
  private static let batchSize = 1000

  /// Runs `body` with the last number it returned, from 0, as long as it returns full batches; others
  /// get their turn at the write lock in between.
  private func inBatches(_ body: (Int64) throws -> [Int64]) throws {
    var last: Int64 = 0
    while case let batch = try body(last), batch.count == Self.batchSize {
      last = batch.last ?? last
    }
  }

  private func endedJobs(_ state: JobState, before time: Date, after last: Int64) throws -> [Job.ID]
  {
    try connection.query(
      """
      SELECT id FROM job INDEXED BY job_state
      WHERE state = ? AND \(Self.inStateIndex) AND id > ? AND finished_at < ? ORDER BY id LIMIT ?
      """, state.rawValue, last, time.milliseconds, Self.batchSize
    ) { row in row[0] }
  }

  /// Removes a job that is still in the state it was seen in.
  private func remove(_ id: Job.ID, in state: JobState) throws -> Bool {
    guard let job = try standing(of: id), job.state == state else { return false }
    try connection.run(
      "UPDATE request SET ended = ? WHERE job_id = ? AND ended IS NULL", state.rawValue, id)
    try removeEvents(of: id)
    try connection.run("DELETE FROM result WHERE job_id = ?", id)
    try connection.run("DELETE FROM job WHERE id = ?", id)
    counters.move(of: job.queue, from: state, to: nil)
    return true
  }

  private func completions(
    before time: Date, after last: Int64
  ) throws -> [(event: Int64, job: Job.ID, attempt: Int)] {
    try connection.query(
      "SELECT id, job_id, attempt FROM event WHERE id > ? AND kind = ? AND at < ? ORDER BY id LIMIT ?",
      last, Transition.completed.rawValue, time.milliseconds, Self.batchSize
    ) { row in (row[0], row[1], row[2]) }
  }

  /// - Returns: whether the job's events went.
  private func compact(_ id: Job.ID, _ attempt: Int) throws -> Bool {
    try connection.run("DELETE FROM result WHERE job_id = ?", id)
    // An event with a detail, or more than three of them, tells what the row does not.
    guard attempt == 1, try isPlain(id) else { return false }
    try removeEvents(of: id)
    try connection.run("UPDATE job SET last_event = NULL WHERE id = ?", id)
    return true
  }

  /// Whether a job was submitted to be run at once, claimed once and completed, and nothing else.
  private func isPlain(_ id: Job.ID) throws -> Bool {
    try storedEvents(of: id).map(\.event.kind) == [.submitted, .claimed, .completed]
  }

  private func removeEvents(of id: Job.ID) throws {
    let events = try connection.query(
      """
      WITH RECURSIVE chain (id) AS (
        SELECT last_event FROM job WHERE id = ?
        UNION ALL SELECT previous FROM event JOIN chain USING (id) WHERE previous IS NOT NULL)
      SELECT id FROM chain WHERE id IS NOT NULL
      """, id
    ) { row in row[0] as Int64 }
    for event in events {
      try connection.run("DELETE FROM log WHERE event_id = ?", event)
      try connection.run("DELETE FROM event WHERE id = ?", event)
    }
  }

  /// Shortens the file by the pages that nothing is on, some at a time for the same reason.
  func giveBackFreePages() throws {
    let count: SQL = "PRAGMA freelist_count"
    while case let free = try connection.integer(count), free > 0 {
      try connection.execute("PRAGMA incremental_vacuum(1000)")
      guard try connection.integer(count) < free else { return }
    }
  }
}
