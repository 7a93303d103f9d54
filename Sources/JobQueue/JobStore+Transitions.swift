internal import FoundationEssentials
internal import SQLite

/// Where a job stands, as far as a transition has to know.
struct Standing {
  var job: Job.ID
  var queue: Int64
  /// Nil before it is submitted.
  var state: JobState?
  var attempt: Int
  var lastEvent: Int64?
}

// Within a write transaction.

extension JobStore {
  /// Where a job stands that is there.
  func standing(of job: Job.ID) throws -> Standing? {
    try connection.first(Self.selectStanding, job) { row in
      Standing(
        job: job, queue: row[0], state: try row.state(1), attempt: row[2], lastEvent: row[3])
    }
  }

  /// Writes down what happens to a job, and counts it in its new state.
  ///
  /// - Returns: the event, which the caller makes the job's last together with its state.
  func record(
    _ kind: Transition, of job: Standing, to state: JobState, detail: String? = nil,
    report: AttemptReport? = nil, now: Date
  ) throws -> Int64 {
    let event = try counters.nextEvent(connection)
    // Most events have no process to tell of, and are shorter for it.
    try connection.run(report == nil ? Self.insertEvent : Self.insertReport) {
      row throws(SQLiteError) in
      try row.bind(event, at: 1)
      try row.bind(job.job, at: 2)
      try row.bind(job.lastEvent, at: 3)
      try row.bind(now.milliseconds, at: 4)
      try row.bind(Int64(job.attempt), at: 5)
      try row.bind(Int64(kind.rawValue), at: 6)
      try row.bind(Int64(state.rawValue), at: 7)
      try row.bind(detail, at: 8)
      guard let report else { return }
      try row.bind(report.pid.map(Int64.init), at: 9)
      try row.bind(report.exitCode.map(Int64.init), at: 10)
      try row.bind(report.signal.map(Int64.init), at: 11)
      try row.bind(report.cpuTime?.milliseconds, at: 12)
      try row.bind(report.peakRSS, at: 13)
    }
    if state != job.state { counters.move(of: job.queue, from: job.state, to: state) }
    return event
  }

  /// Changes the state of a job that is not running, if it is in one that the transition leads from.
  ///
  /// - Returns: whether it was.
  @discardableResult
  func move(
    _ id: Job.ID, by transition: Transition, detail: String? = nil, now: Date
  ) throws -> Bool {
    guard let target = transition.target, let job = try standing(of: id), let state = job.state,
      transition.sources.contains(state)
    else { return false }
    let event = try record(transition, of: job, to: target, detail: detail, now: now)
    try connection.run(Self.setState, target.rawValue, event, id)
    return true
  }

  private static let selectStanding: SQL =
    "SELECT queue, state, attempt, last_event FROM job WHERE id = ?"
  private static let setState: SQL = "UPDATE job SET state = ?, last_event = ? WHERE id = ?"
  private static let insertEvent: SQL = """
    INSERT INTO event (id, job_id, previous, at, attempt, kind, state, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let insertReport: SQL = """
    INSERT INTO event (id, job_id, previous, at, attempt, kind, state, detail, pid, exit_code, signal,
      cpu_time, peak_rss)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
}
