public import FoundationEssentials
internal import SQLite

extension JobStore {
  /// Mends what ``examine(bootNow:isAlive:)`` finds, as far as it can be mended.
  ///
  /// - Returns: what is still wrong after that.
  public func repair(
    bootNow: Int64, now: Date, isAlive: (OwnerIdentity) -> Bool
  ) throws -> [Finding] {
    let kinds = Set(try examine(bootNow: bootNow, isAlive: isAlive).map(\.kind))
    guard !kinds.isEmpty else { return [] }
    if kinds.contains(.index) { try write(.full) { try connection.execute("REINDEX") } }
    if kinds.contains(.lease) { try takeStuckJobs(bootNow, now, isAlive) }
    if kinds.contains(.dependency) { try releaseBlockedJobs(now) }
    // After the others, which count what they change from where the counters stand.
    if kinds.contains(.counter) { try recount() }
    if kinds.contains(.space) { try read { try giveBackFreePages() } }
    if kinds.contains(.log) || kinds.contains(.space) { try checkpoint() }
    return try examine(bootNow: bootNow, isAlive: isAlive)
  }

  private func takeStuckJobs(
    _ bootNow: Int64, _ now: Date, _ isAlive: (OwnerIdentity) -> Bool
  ) throws {
    // A name that no supervisor has: nobody's jobs are left alone.
    let nobody = OwnerIdentity(bootID: "", pid: 0, startTime: 0, supervisor: "")
    try reclaim(by: nobody, bootNow: bootNow, now: now, isAlive: isAlive)
  }

  private func releaseBlockedJobs(_ now: Date) throws {
    try write(.full) {
      for job in try releasableJobs() {
        if let (parent, state) = try failedParent(of: job) {
          try failChild(job, of: parent, state, now)
          try settleChildren(of: job, endedAs: .failed, now: now)
        } else {
          // As if the last of its parents ended now.
          try connection.run("UPDATE job SET pending = 1 WHERE id = ?", job)
          try countDown(job, now)
        }
      }
    }
  }

  private func failedParent(of job: Job.ID) throws -> (Job.ID, JobState)? {
    try connection.first(
      """
      SELECT p.id, p.state FROM dependency d JOIN job p ON p.id = d.parent
      WHERE d.child = ? AND NOT d.any_ending AND p.state > 4
      """, job
    ) { row in (row[0], try row.state(1)) }
  }

  private func recount() throws {
    try write(.full) {
      for error in try counterErrors() {
        try connection.run(
          """
          INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value
          """, error.queue, error.name, error.right)
      }
    }
  }
}

// MARK: - What is wrong

extension JobStore {
  /// Blocked jobs without a parent that could still end.
  func releasableJobs() throws -> [Job.ID] {
    try connection.query(
      """
      SELECT id FROM job c WHERE state = 0 AND NOT EXISTS (
        SELECT 1 FROM dependency d JOIN job p ON p.id = d.parent
        WHERE d.child = c.id AND p.state < 4)
      """
    ) { row in row[0] }
  }

  struct CounterError {
    var queue: Int64
    var name: String
    var found: Int64
    var right: Int64
  }

  /// Counters that are not what a count of the jobs gives.
  func counterErrors() throws -> [CounterError] {
    let states = JobState.allCases.filter(\.isFinal)
      .map { "(\($0.rawValue), '\($0.name)')" }.joined(separator: ", ")
    return try connection.query(
      """
      WITH state (id, name) AS (VALUES \(states)),
        counted (queue, name, value) AS (
          SELECT j.queue, s.name, count(*) FROM job j JOIN state s ON s.id = j.state GROUP BY 1, 2),
        counters AS (SELECT * FROM counter WHERE queue > 0)
      SELECT counted.queue, counted.name, ifnull(c.value, 0), counted.value
        FROM counted LEFT JOIN counters c USING (queue, name)
        WHERE ifnull(c.value, 0) <> counted.value
      UNION ALL SELECT c.queue, c.name, c.value, 0
        FROM counters c LEFT JOIN counted USING (queue, name)
        WHERE counted.value IS NULL AND c.value <> 0
      """
    ) { row in CounterError(queue: row[0], name: row[1], found: row[2], right: row[3]) }
  }
}
