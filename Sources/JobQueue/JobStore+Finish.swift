public import FoundationEssentials
internal import Digests
internal import SQLite

extension JobStore {
  /// Ends an attempt, durably.
  ///
  /// - Returns: the state the job is in now, or nil when the lease is lost and nothing was changed.
  @discardableResult
  public func finish(
    _ lease: Lease, as ending: Ending, report: AttemptReport = AttemptReport(), now: Date
  ) throws -> JobState? {
    try write(.full) {
      try end(FinishedAttempt(lease, ending, report: report), now: now)
    }
  }

  /// Ends attempts and takes new jobs in one transaction, which saves a commit for each.
  ///
  /// - Returns: for each attempt the state of its job, or nil where the lease is lost; and the jobs
  ///   that were taken.
  public func finishAndClaim(
    _ finished: [FinishedAttempt], limit: Int, owner: OwnerIdentity, leaseUntil: Int64, now: Date
  ) throws -> (states: [JobState?], claimed: [Job]) {
    try write(finished.isEmpty ? .normal : .full) {
      let states = try finished.map { try end($0, now: now) }
      let claimed = try claimJobs(limit: limit, owner: owner, leaseUntil: leaseUntil, now: now)
      return (states, claimed)
    }
  }

  /// Completes an attempt together with what `body` does to the file system.
  ///
  /// `body` runs under the write lock, after the lease was found to hold: nobody can take the job
  /// between the check and the rename that `body` makes, so let it make nothing else. When `body`
  /// throws, the attempt goes on as if nothing had been asked, and its error is passed on. Should
  /// the commit itself fail, the output is there and the job is not completed; its next attempt
  /// finds a whole output and adopts it.
  ///
  /// - Returns: what `body` returns, or nil when the lease is lost and `body` did not run.
  public func publish<Result>(
    _ lease: Lease, _ completion: Completion, report: AttemptReport = AttemptReport(), now: Date,
    body: () throws -> Result
  ) throws -> Result? {
    do {
      return try write(.full) {
        let attempt = FinishedAttempt(lease, .completed(completion), report: report)
        guard try end(attempt, now: now) != nil else { return nil }
        // So that nothing but the commit is left to fail after the rename.
        try counters.flush(to: connection)
        do { return try body() } catch { throw BodyError(error: error) }
      }
    } catch let error as BodyError {
      throw error.error
    }
  }

  /// Carries an error of a caller's closure past the translation of the store's own.
  private struct BodyError: Error {
    let error: any Error
  }
}

// MARK: - Within a transaction

extension JobStore {
  /// Ends an attempt if its lease holds.
  func end(_ finished: FinishedAttempt, now: Date) throws -> JobState? {
    let lease = finished.lease
    guard let (standing, record, hasChildren) = try holder(of: lease) else { return nil }
    let verdict = Verdict(finished.ending, after: record, options: options, now: now)
    guard let state = verdict.transition.target else { return nil }
    let event = try self.record(
      verdict.transition, of: standing, to: state,
      detail: verdict.error ?? finished.ending.completion?.note,
      report: finished.report,
      now: now)
    try apply(verdict, state, event, lease, now)
    if let completion = finished.ending.completion { try store(completion, of: lease.jobID) }
    if let log = finished.report.logTail, !log.isEmpty {
      try connection.run("INSERT INTO log (event_id, tail) VALUES (?, ?)", event, log)
    }
    if state.isFinal && hasChildren {
      try settleChildren(of: lease.jobID, endedAs: state, now: now)
    }
    return state
  }

  private func holder(of lease: Lease) throws -> (Standing, Verdict.Record, hasChildren: Bool)? {
    try connection.first(Self.selectHolder, lease.jobID, lease.attempt, lease.worker) { row in
      let standing = Standing(
        job: lease.jobID, queue: row[0], state: .running, attempt: lease.attempt, lastEvent: row[1])
      let record = Verdict.Record(
        jobID: lease.jobID, failures: row[2], crashes: row[3], maxAttempts: row[4],
        cancelRequested: row[5])
      return (standing, record, row[6])
    }
  }

  private func apply(
    _ verdict: Verdict, _ state: JobState, _ event: Int64, _ lease: Lease, _ now: Date
  ) throws {
    let keepsProgress = state.isFinal && state != .completed
    try connection.run(Self.endAttempt) { row throws(SQLiteError) in
      try row.bind(Int64(state.rawValue), at: 1)
      try row.bind(verdict.error, at: 2)
      try row.bind(Int64(verdict.failures), at: 3)
      try row.bind(Int64(verdict.crashes), at: 4)
      try row.bind(verdict.dueAt?.milliseconds, at: 5)
      try row.bind(state.isFinal ? now.milliseconds : nil, at: 6)
      try row.bind(Int64(keepsProgress ? 1 : 0), at: 7)
      try row.bind(Double(state == .completed ? 1 : 0), at: 8)
      try row.bind(event, at: 9)
      try row.bind(lease.jobID, at: 10)
    }
  }

  private func store(_ completion: Completion, of job: Job.ID) throws {
    if let result = completion.result {
      try connection.run(Self.insertResult, job, result)
    }
    guard
      completion.isPartial || completion.warnings > 0 || completion.reusedFrom != nil
        || completion.memoKey != nil || completion.frames != nil
    else { return }
    let key = completion.memoKey
    try connection.run(
      Self.complete, completion.isPartial, completion.warnings, completion.frames,
      completion.reusedFrom,
      key?.input.bytes, try (key?.engine).map(engineID), job)
  }

  private static let selectHolder = SQL(
    """
    SELECT queue, last_event, failures, crashes, max_attempts, cancel_requested,
      EXISTS (SELECT 1 FROM dependency WHERE parent = job.id)
    FROM job
    WHERE \(Lease.fence)
    """)
  private static let endAttempt: SQL = """
    UPDATE job SET state = ?, error = ?, failures = ?, crashes = ?, due_at = ?, finished_at = ?,
      progress = iif(?, progress, ?), last_event = ?, worker = NULL, lease_until = NULL,
      cancel_requested = 0, stage = NULL, fps = NULL, remaining = NULL
    WHERE id = ?
    """
  private static let complete: SQL = """
    UPDATE job SET partial = ?, warnings = ?, frames = ifnull(?, frames), reused_from = ?,
      input_digest = ?, engine = ?
    WHERE id = ?
    """
  private static let insertResult: SQL =
    "INSERT OR REPLACE INTO result (job_id, document) VALUES (?, ?)"
}

extension Ending {
  fileprivate var completion: Completion? {
    if case .completed(let completion) = self { completion } else { nil }
  }
}
