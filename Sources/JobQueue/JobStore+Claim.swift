public import FoundationEssentials
internal import SQLite

extension JobStore {
  /// Takes up to `limit` available jobs and begins an attempt of each: higher priority first, then
  /// the older job, as far as their queues' limits and pauses allow.
  ///
  /// The leases end at `leaseUntil` on the boot clock, in milliseconds.
  public func claim(
    limit: Int, owner: OwnerIdentity, leaseUntil: Int64, now: Date
  ) throws -> [Job] {
    // A look first: who finds nothing leaves the write lock to others.
    guard limit > 0, try read({ try hasAvailableJobs() }) else { return [] }
    return try write(.normal) {
      try claimJobs(limit: limit, owner: owner, leaseUntil: leaseUntil, now: now)
    }
  }

  /// Prolongs leases, as long as no other supervisor has taken the jobs.
  ///
  /// - Returns: the leases that are lost; what runs under them must end without a trace.
  public func renew(_ leases: [Lease], until: Int64) throws -> [Lease] {
    guard !leases.isEmpty else { return [] }
    return try write(.normal) {
      try leases.filter { lease in
        try connection.run(
          "UPDATE job SET lease_until = ? WHERE \(Lease.fence)",
          until, lease.jobID, lease.attempt, lease.worker) == 0
      }
    }
  }

  /// Stores how far attempts have come.
  ///
  /// - Returns: the leases that are lost.
  public func update(_ progress: [(lease: Lease, progress: Progress)]) throws -> [Lease] {
    guard !progress.isEmpty else { return [] }
    return try write(.normal) {
      try progress.filter { lease, progress in
        try connection.run(
          """
          UPDATE job SET progress = ?, stage = ?, frames = ?, fps = ?, remaining = ?
          WHERE \(Lease.fence)
          """,
          progress.fraction, progress.stage, progress.frames, progress.fps,
          progress.remaining?.milliseconds, lease.jobID, lease.attempt, lease.worker) == 0
      }.map(\.lease)
    }
  }

  /// The jobs that a supervisor runs and is to end, because somebody cancelled them.
  public func cancelRequests(to owner: OwnerIdentity) throws -> [Lease] {
    try read {
      try connection.query(
        """
        SELECT j.id, j.attempt, j.worker FROM job j
        JOIN worker w ON w.id = j.worker
        WHERE j.state = 3 AND j.cancel_requested AND w.supervisor = ? ORDER BY j.id
        """, owner.supervisor
      ) { row in Lease(jobID: row[0], attempt: row[1], worker: row[2]) }
    }
  }
}

// MARK: - Within a transaction

extension JobStore {
  /// Does the claiming of ``claim(limit:owner:leaseUntil:now:)`` inside a write transaction.
  func claimJobs(
    limit: Int, owner: OwnerIdentity, leaseUntil: Int64, now: Date
  ) throws -> [Job] {
    var claimed = try candidates(limit: limit)
    guard !claimed.isEmpty else { return [] }
    let worker = try workerID(of: owner, now: now)
    for index in claimed.indices {
      // In place: a job is a large value, and copying it takes as long as a small statement.
      try begin(&claimed[index], worker: worker, pid: owner.pid, leaseUntil: leaseUntil, now: now)
    }
    return claimed.map(\.job)
  }

  private func begin(
    _ candidate: inout Candidate, worker: Int64, pid: Int32, leaseUntil: Int64, now: Date
  ) throws {
    candidate.standing.attempt += 1
    let (id, attempt, time) = (candidate.job.id, candidate.standing.attempt, now.milliseconds)
    let event = try record(
      .claimed, of: candidate.standing, to: .running, report: AttemptReport(pid: pid), now: now)
    try connection.run(Self.startAttempt) { row throws(SQLiteError) in
      try row.bind(Int64(attempt), at: 1)
      try row.bind(worker, at: 2)
      try row.bind(leaseUntil, at: 3)
      try row.bind(time, at: 4)
      try row.bind(event, at: 5)
      try row.bind(id, at: 6)
    }
    candidate.job.state = .running
    candidate.job.attempt = attempt
    candidate.job.startedAt = Date(milliseconds: time)
    candidate.job.scheduledAt = nil
    candidate.job.lease = Lease(jobID: id, attempt: attempt, worker: worker)
    candidate.job.ownerPID = pid
  }

  private static let startAttempt: SQL = """
    UPDATE job SET state = 3, attempt = ?, worker = ?, lease_until = ?, started_at = ?,
      last_event = ?, due_at = NULL
    WHERE id = ?
    """

  /// A job that may be claimed, and where it stands.
  private struct Candidate {
    var job: Job
    var standing: Standing
  }

  /// The next jobs over all queues.
  ///
  /// Each queue gives its best in the order of its index, so that the cost depends on `limit` and the
  /// number of queues, not on the backlog.
  private func candidates(limit: Int) throws -> [Candidate] {
    var best: [Candidate] = []
    let queues = try openQueues()
    for (queue, maxRunning) in queues {
      let room = try maxRunning.map { min($0 - (try runningCount(in: queue)), limit) } ?? limit
      guard room > 0 else { continue }
      best += try connection.query(Self.selectReady, queue, room) { row in
        let job = try job(from: row)
        return Candidate(
          job: job,
          standing: Standing(
            job: job.id, queue: queue, state: .available, attempt: job.attempt, lastEvent: row[30]))
      }
    }
    // One queue's are in their order already.
    guard queues.count > 1 else { return best }
    best.sort { ($1.job.priority, $0.job.id) < ($0.job.priority, $1.job.id) }
    return Array(best.prefix(limit))
  }

  /// Selects the next jobs of one queue.
  static let selectReady = SQL(
    """
    \(Job.select(and: "last_event")) INDEXED BY job_ready
    WHERE state = 2 AND queue = ? ORDER BY priority DESC, id LIMIT ?
    """)

  private func openQueues() throws -> [(id: Int64, maxRunning: Int?)] {
    try connection.query("SELECT id, max_running FROM queue WHERE NOT paused") { row in
      (row[0], row[1])
    }
  }

  private func runningCount(in queue: Int64) throws -> Int {
    try connection.first("SELECT count(*) FROM job WHERE state = 3 AND queue = ?", queue) { row in
      row[0]
    } ?? 0
  }

  private func hasAvailableJobs() throws -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM job WHERE state = 2)") == 1
  }
}

extension Lease {
  /// The condition that the lease still holds; its values are job, attempt and worker.
  static let fence = "id = ? AND attempt = ? AND worker = ? AND state = 3"
}
