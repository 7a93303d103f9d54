public import FoundationEssentials
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
    guard let (record, startedAt) = try holder(of: lease) else { return nil }
    let verdict = Verdict(finished.ending, after: record, options: options, now: now)
    guard let state = verdict.transition.target else { return nil }
    try apply(verdict, state, lease, now)
    if case .completed(let completion) = finished.ending { try store(completion, of: lease.jobID) }
    try insert(finished.report, of: lease, verdict, startedAt, now)
    try self.record(
      verdict.transition, of: lease.jobID, attempt: lease.attempt, state: state,
      detail: verdict.error, now: now)
    if state.isFinal { try settleChildren(of: lease.jobID, endedAs: state, now: now) }
    return state
  }

  private func holder(of lease: Lease) throws -> (Verdict.Record, startedAt: Int64)? {
    try connection.first(
      """
      SELECT failures, crashes, max_attempts, cancel_requested, started_at FROM job
      WHERE \(Lease.fence)
      """, lease.jobID, lease.attempt, lease.worker
    ) { row in
      let record = Verdict.Record(
        jobID: lease.jobID, failures: row[0], crashes: row[1], maxAttempts: row[2],
        cancelRequested: row[3])
      return (record, row[4])
    }
  }

  private func apply(
    _ verdict: Verdict, _ state: JobState, _ lease: Lease, _ now: Date
  ) throws {
    let keepsProgress = state.isFinal && state != .completed
    try connection.run(
      """
      UPDATE job SET state = ?, error = ?, failures = ?, crashes = ?, due_at = ?, finished_at = ?,
        progress = iif(?, progress, ?), worker = NULL, lease_until = NULL, cancel_requested = 0,
        stage = NULL, fps = NULL, remaining = NULL
      WHERE \(Lease.fence)
      """,
      state.rawValue, verdict.error, verdict.failures, verdict.crashes,
      verdict.dueAt?.milliseconds, state.isFinal ? now.milliseconds : nil, keepsProgress,
      state == .completed ? 1.0 : 0.0, lease.jobID, lease.attempt, lease.worker)
  }

  private func store(_ completion: Completion, of job: Job.ID) throws {
    if completion.isPartial || completion.warnings > 0 {
      try connection.run(
        "UPDATE job SET partial = ?, warnings = ? WHERE id = ?",
        completion.isPartial, completion.warnings, job)
    }
    if let result = completion.result {
      try connection.run("UPDATE job_body SET result = ? WHERE job_id = ?", result, job)
    }
  }

  private func insert(
    _ report: AttemptReport, of lease: Lease, _ verdict: Verdict, _ startedAt: Int64, _ now: Date
  ) throws {
    try connection.run(
      """
      INSERT INTO attempt (job_id, number, outcome, started_at, ended_at, pid, exit_code, signal,
        cpu_time, peak_rss, error, log_tail)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      lease.jobID, lease.attempt, verdict.transition.rawValue, startedAt, now.milliseconds,
      report.pid, report.exitCode, report.signal, report.cpuTime?.milliseconds, report.peakRSS,
      verdict.error, report.logTail)
  }
}
