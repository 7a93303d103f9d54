public import FoundationEssentials
internal import SQLite

extension JobStore {
  /// The attempts of a job in their order, the running one last.
  public func attempts(of id: Job.ID) throws -> [Attempt] {
    try readTogether {
      let ended = try connection.query(
        """
        SELECT number, started_at, ended_at, outcome, error, pid, exit_code, signal, cpu_time,
          peak_rss, log_tail
        FROM attempt WHERE job_id = ? ORDER BY number
        """, id
      ) { row in try Attempt(row: row) }
      let running = try connection.query(
        "SELECT attempt, started_at FROM job WHERE id = ? AND state = 3", id
      ) { row in
        Attempt(
          number: row[0], startedAt: Date(milliseconds: row[1]), report: AttemptReport())
      }
      return ended + running
    }
  }

  /// What happened to a job, oldest first.
  public func events(of id: Job.ID) throws -> [JobEvent] {
    try read {
      try connection.query("\(JobEvent.select) WHERE job_id = ? ORDER BY id", id) { row in
        try JobEvent(row: row)
      }
    }
  }

  /// What happened after the event `cursor`, oldest first; 0 for the beginning.
  public func events(after cursor: Int64, limit: Int = 1000) throws -> [JobEvent] {
    try read {
      try connection.query("\(JobEvent.select) WHERE id > ? ORDER BY id LIMIT ?", cursor, limit) {
        row in try JobEvent(row: row)
      }
    }
  }

  /// Removes jobs that ended before a time in one of `states`, with all that is known of them, and
  /// counts them; those that have not ended are never removed.
  @discardableResult
  public func prune(
    endedBefore time: Date,
    states: Set<JobState> = [.completed, .failed, .cancelled, .quarantined]
  ) throws -> Int {
    var removed = 0
    for state in states.filter(\.isFinal).sorted(by: { $0.rawValue < $1.rawValue }) {
      // In batches, so that others get their turn at the write lock.
      while case let batch = try prune(state, endedBefore: time, limit: 1000), batch > 0 {
        removed += batch
      }
    }
    try read { try giveBackFreePages() }
    return removed
  }

  /// Shortens the file by the pages that nothing is on, some at a time for the same reason.
  private func giveBackFreePages() throws {
    let count = "PRAGMA freelist_count"
    while case let free = try connection.integer(count), free > 0 {
      try connection.execute("PRAGMA incremental_vacuum(1000)")
      guard try connection.integer(count) < free else { return }
    }
  }

  private func prune(_ state: JobState, endedBefore time: Date, limit: Int) throws -> Int {
    try write(.normal) {
      try connection.run(
        """
        DELETE FROM job WHERE id IN (
          SELECT id FROM job INDEXED BY job_ended
          WHERE state = ? AND state >= 4 AND finished_at < ? LIMIT ?)
        """, state.rawValue, time.milliseconds, limit)
    }
  }
}

extension Attempt {
  fileprivate init(row: borrowing Statement) throws {
    self.init(
      number: row[0], startedAt: Date(milliseconds: row[1]), endedAt: row.date(2),
      outcome: try row.transition(3), error: row[4],
      report: AttemptReport(
        pid: row[5], exitCode: row[6], signal: row[7], cpuTime: row.duration(8), peakRSS: row[9],
        logTail: row[10]))
  }
}

extension JobEvent {
  fileprivate static let select = "SELECT id, job_id, at, attempt, kind, state, detail FROM event"

  fileprivate init(row: borrowing Statement) throws {
    self.init(
      id: row[0], jobID: row[1], at: Date(milliseconds: row[2]), attempt: row[3],
      kind: try row.transition(4), state: try row.state(5), detail: row[6])
  }
}
