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
    let candidates = try candidates(limit: limit)
    guard !candidates.isEmpty else { return [] }
    let worker = try workerID(of: owner, now: now)
    return try candidates.compactMap { id in
      guard var (job, standing) = try availableJob(id) else { return nil }
      standing.attempt += 1
      let event = try record(
        .claimed, of: standing, to: .running, report: AttemptReport(pid: owner.pid), now: now)
      try connection.run(
        Self.startAttempt, standing.attempt, worker, leaseUntil, now.milliseconds, event, id)
      job.state = .running
      job.attempt = standing.attempt
      job.startedAt = Date(milliseconds: now.milliseconds)
      job.scheduledAt = nil
      job.lease = Lease(jobID: id, attempt: standing.attempt, worker: worker)
      job.ownerPID = owner.pid
      return job
    }
  }

  private func availableJob(_ id: Job.ID) throws -> (Job, Standing)? {
    try connection.first(Self.selectAvailable, id) { row in
      let job = try job(from: row)
      let standing = Standing(
        job: id, queue: row[2], state: job.state, attempt: job.attempt, lastEvent: row[30])
      return (job, standing)
    }
  }

  private static let selectAvailable = SQL(
    "\(Job.select(and: "last_event")) WHERE id = ? AND state = 2")

  private static let startAttempt: SQL = """
    UPDATE job SET state = 3, attempt = ?, worker = ?, lease_until = ?, started_at = ?,
      last_event = ?, due_at = NULL
    WHERE id = ?
    """

  /// The next jobs over all queues.
  ///
  /// Each queue gives its best in the order of its index, so that the cost depends on `limit` and the
  /// number of queues, not on the backlog.
  private func candidates(limit: Int) throws -> [Job.ID] {
    var best: [(id: Job.ID, priority: Int)] = []
    for (queue, maxRunning) in try openQueues() {
      let room = try maxRunning.map { min($0 - (try runningCount(in: queue)), limit) } ?? limit
      guard room > 0 else { continue }
      best += try connection.query(Self.selectReady, queue, room) { row in (row[0], row[1]) }
    }
    best.sort { ($1.priority, $0.id) < ($0.priority, $1.id) }
    return best.prefix(limit).map(\.id)
  }

  /// Selects the next jobs of one queue.
  static let selectReady: SQL = """
    SELECT id, priority FROM job INDEXED BY job_ready
    WHERE state = 2 AND queue = ? ORDER BY priority DESC, id LIMIT ?
    """

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
