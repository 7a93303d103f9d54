public import FoundationEssentials
internal import SQLite

// What a supervisor does for all: jobs whose time has come, and jobs whose owner is gone.

extension JobStore {
  /// Makes scheduled jobs available whose time has come, and submits recurring ones.
  ///
  /// - Returns: how many.
  @discardableResult
  public func promoteDue(now: Date) throws -> Int {
    var promoted = try fireDueSchedules(now: now).count
    while let next = try nextScheduledJob(), next <= now {
      promoted += try write(.normal) {
        try dueJobs(now).count { try move($0, by: .due, now: now) }
      }
    }
    return promoted
  }

  /// When the next scheduled or recurring job is due.
  public func nextDue() throws -> Date? {
    [try nextScheduledJob(), try nextSchedule()].compactMap(\.self).min()
  }

  /// When the next lease runs out, on the boot clock in milliseconds.
  public func nextLeaseExpiry() throws -> Int64? {
    try read {
      try connection.first(Self.selectLeaseExpiry) { row in
        row[0] as Int64?
      } ?? nil
    }
  }

  /// Takes jobs back whose supervisor is dead or has let their leases run out, and forgets dead
  /// supervisors.
  ///
  /// The jobs of `owner`, who asks, are left alone, since it knows them itself. `bootNow` is the boot
  /// clock in milliseconds, `isAlive` tells whether a supervisor's process still lives and is asked
  /// once for each. The boot clock goes on while the machine sleeps and nobody renews: for the length
  /// of one lease after it woke, a `grace` as long leaves live supervisors the time to. Returned are
  /// the jobs taken back, with the states they are in now.
  @discardableResult
  public func reclaim(
    by owner: OwnerIdentity, bootNow: Int64, now: Date, grace: Duration = .zero,
    isAlive: (OwnerIdentity) -> Bool
  ) throws -> [(id: Job.ID, state: JobState)] {
    let others = try read { try workerRows() }.filter { $0.identity != owner }
    let dead = Set(others.filter { !isAlive($0.identity) }.map(\.id))
    let held = try read { try heldLeases() }.filter { $0.owner != owner }.filter {
      $0.isOrphan(dead) || $0.until <= bootNow - grace.milliseconds
    }
    guard !held.isEmpty || !dead.isEmpty else { return [] }
    return try write(.full) {
      let taken = try held.compactMap {
        try take($0, isOrphan: $0.isOrphan(dead), now)
      }
      for worker in dead { try forgetWorker(worker) }
      return taken
    }
  }

  /// Whether nothing is left that a pool could do.
  ///
  /// Jobs in paused queues do not count, nor do blocked ones by themselves: they wait for others.
  public func backlogIsEmpty() throws -> Bool {
    try read {
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM job WHERE state = 3)
          OR EXISTS (SELECT 1 FROM queue q WHERE NOT q.paused
            AND EXISTS (SELECT 1 FROM job WHERE state = 2 AND queue = q.id))
          OR EXISTS (SELECT 1 FROM job WHERE state = 1
            AND queue IN (SELECT id FROM queue WHERE NOT paused))
        """) == 0
    }
  }
}

extension JobStore {
  private func nextScheduledJob() throws -> Date? {
    try read {
      try connection.first(Self.selectNextScheduled) { row in row.date(0) } ?? nil
    }
  }

  static let selectLeaseExpiry: SQL = "SELECT min(lease_until) FROM job WHERE state = 3"
  private static let selectNextScheduled: SQL = "SELECT min(due_at) FROM job WHERE state = 1"

  private func dueJobs(_ now: Date) throws -> [Job.ID] {
    // In batches: a write transaction that moves 100,000 jobs would keep the others waiting.
    try connection.query(
      "SELECT id FROM job WHERE state = 1 AND due_at <= ? ORDER BY due_at LIMIT 1000",
      now.milliseconds
    ) { row in row[0] }
  }

  /// A lease as it was found, and whose it is.
  struct HeldLease {
    var lease: Lease
    var until: Int64
    var owner: OwnerIdentity?

    /// Whether its supervisor is among the dead, or is not known any more.
    func isOrphan(_ dead: Set<Int64>) -> Bool { owner == nil || dead.contains(lease.worker) }
  }

  /// The leases of all running jobs.
  func heldLeases() throws -> [HeldLease] {
    try connection.query(
      """
      SELECT j.id, j.attempt, j.worker, j.lease_until, w.boot_id, w.pid, w.start_time, w.supervisor
      FROM job j LEFT JOIN worker w ON w.id = j.worker
      WHERE state = 3
      """
    ) { row in
      HeldLease(
        lease: Lease(jobID: row[0], attempt: row[1], worker: row[2]), until: row[3],
        owner: row.isNull(4) ? nil : OwnerIdentity(row: row, from: 4))
    }
  }

  /// Takes a job back, unless its lease was renewed since it was looked at.
  private func take(
    _ held: HeldLease, isOrphan: Bool, _ now: Date
  ) throws -> (id: Job.ID, state: JobState)? {
    let lease = held.lease
    let until: Int64? = try connection.first(
      "SELECT lease_until FROM job WHERE \(Lease.fence)", lease.jobID, lease.attempt, lease.worker
    ) { row in row[0] }
    guard until == held.until || isOrphan else { return nil }
    let reason = isOrphan ? "its supervisor died" : "its supervisor let the lease run out"
    let state = try end(FinishedAttempt(lease, .lost(reason)), now: now)
    return state.map { (lease.jobID, $0) }
  }
}
