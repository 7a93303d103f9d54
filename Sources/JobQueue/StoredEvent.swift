internal import FoundationEssentials
internal import SQLite

/// An event with what it knows of the process of the attempt that it ended.
struct StoredEvent {
  var event: JobEvent
  var report = AttemptReport()
}

extension JobStore {
  /// The events of a job, oldest first; none for a job that was compacted.
  func storedEvents(of id: Job.ID) throws -> [StoredEvent] {
    try connection.query(
      """
      WITH RECURSIVE chain (id) AS (
        SELECT last_event FROM job WHERE id = ?
        UNION ALL SELECT previous FROM event JOIN chain USING (id) WHERE previous IS NOT NULL)
      SELECT \(JobEvent.columns), e.pid, e.exit_code, e.signal, e.cpu_time, e.peak_rss,
        (SELECT tail FROM log WHERE event_id = e.id)
      FROM chain JOIN event e USING (id) ORDER BY e.id
      """, id
    ) { row in
      let report = AttemptReport(
        pid: row[7], exitCode: row[8], signal: row[9], cpuTime: row.duration(10), peakRSS: row[11],
        logTail: row[12])
      return StoredEvent(event: try JobEvent(row: row), report: report)
    }
  }
}

extension JobEvent {
  /// The columns of `event e` that ``init(row:)`` reads.
  static let columns = "e.id, e.job_id, e.at, e.attempt, e.kind, e.state, e.detail"

  init(row: borrowing Statement) throws {
    self.init(
      id: row[0], jobID: row[1], at: Date(milliseconds: row[2]), attempt: row[3],
      kind: try row.transition(4), state: try row.state(5), detail: row[6])
  }

  /// What happened to a job whose events were removed, which is done where its row tells the same:
  /// it was submitted, claimed once, and completed.
  static func story(of job: Job) -> [JobEvent] {
    let times: [(Date?, Int, Transition, JobState)] = [
      (job.createdAt, 0, .submitted, .available), (job.startedAt, 1, .claimed, .running),
      (job.finishedAt, 1, .completed, .completed),
    ]
    return times.compactMap { time, attempt, kind, state in
      time.map {
        JobEvent(id: 0, jobID: job.id, at: $0, attempt: attempt, kind: kind, state: state)
      }
    }
  }
}

extension Attempt {
  /// The attempts that a job's events tell of: each begins with a claim, and ends with the next event
  /// that leads out of running.
  static func told(by events: [StoredEvent]) -> [Attempt] {
    var attempts: [Attempt] = []
    for stored in events {
      let event = stored.event
      if event.kind == .claimed {
        attempts.append(
          Attempt(
            number: event.attempt, startedAt: event.at, ownerPID: stored.report.pid,
            report: AttemptReport()))
      } else if let last = attempts.indices.last, attempts[last].outcome == nil,
        event.state != .running
      {
        attempts[last].endedAt = event.at
        attempts[last].outcome = event.kind
        attempts[last].error = event.detail
        attempts[last].report = stored.report
      }
    }
    return attempts
  }
}
