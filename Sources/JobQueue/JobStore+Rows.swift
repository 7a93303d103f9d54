internal import FoundationEssentials
internal import SQLite

// How values lie in rows.

extension Date {
  /// The time in milliseconds since 1970, as the file keeps it.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Duration {
  /// The duration in milliseconds, as the file keeps it; without overflow up to 292 million years.
  var milliseconds: Int64 {
    components.seconds &* 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

extension Statement {
  /// A time column.
  func date(_ column: Int) -> Date? {
    (self[column] as Int64?).map(Date.init(milliseconds:))
  }

  /// A column of a duration.
  func duration(_ column: Int) -> Duration? {
    (self[column] as Int64?).map { .milliseconds($0) }
  }

  /// A state column.
  func state(_ column: Int) throws -> JobState {
    let value: Int = self[column]
    guard let state = JobState(rawValue: value) else { throw Self.unknown("state", value) }
    return state
  }

  /// A column of a kind of event.
  func transition(_ column: Int) throws -> Transition {
    let value: Int = self[column]
    guard let kind = Transition(rawValue: value) else { throw Self.unknown("event", value) }
    return kind
  }

  private static func unknown(_ what: String, _ value: Int) -> QueueError {
    QueueError(.corrupt, "the queue holds an unknown \(what) \(value)")
  }
}

extension Job {
  /// Selects what ``JobStore/job(from:)`` reads; a `WHERE` may follow.
  static let select = select(and: "NULL")

  /// The same with one more column.
  static func select(and column: String) -> String {
    """
    SELECT id, state, queue, priority, input, output, recipe, batch, attempt, failures, crashes,
      max_attempts, progress, stage, frames, fps, remaining, error, partial, warnings, timeout,
      created_at, due_at, started_at, finished_at, cancel_requested, forced, reused_from, worker,
      iif(worker IS NULL, NULL, (SELECT pid FROM worker WHERE id = job.worker)), \(column)
    FROM job
    """
  }
}

extension JobStore {
  /// Reads a job from a row of ``Job/select``.
  func job(from row: borrowing Statement) throws -> Job {
    let (id, attempt): (Job.ID, Int) = (row[0], row[8])
    let worker: Int64? = row[28]
    return Job(
      id: id, state: try row.state(1), queue: try names.queue(row[2], connection),
      priority: row[3], input: row[4], output: row[5],
      recipe: try names.recipe(row[6], connection), batch: row[7], attempt: attempt,
      failures: row[9], crashes: row[10], maxAttempts: row[11],
      progress: Progress(
        fraction: row[12], stage: row[13], frames: row[14], fps: row[15],
        remaining: row.duration(16)),
      error: row[17], isPartial: row[18], warnings: row[19], timeout: row.duration(20),
      createdAt: Date(milliseconds: row[21]), scheduledAt: row.date(22), startedAt: row.date(23),
      finishedAt: row.date(24), cancelRequested: row[25], isForced: row[26], reusedFrom: row[27],
      lease: worker.map { Lease(jobID: id, attempt: attempt, worker: $0) }, ownerPID: row[29])
  }

  /// The job with a number, if it is there.
  func findJob(_ id: Job.ID) throws -> Job? {
    try connection.first(Self.selectJob, id) { row in try job(from: row) }
  }

  /// The job with a number, which somebody named.
  func existingJob(_ id: Job.ID) throws -> Job {
    guard let job = try findJob(id) else { throw QueueError.noSuchJob(id) }
    return job
  }

  private static let selectJob = SQL("\(Job.select) WHERE id = ?")
}
