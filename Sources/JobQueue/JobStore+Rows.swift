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
  /// Selects what ``init(row:)`` reads; a `WHERE` on `j` may follow.
  static let select = select(indexedBy: nil)

  /// The same by way of one index of `job`.
  static func select(indexedBy index: String?) -> String {
    """
    SELECT j.id, j.state, q.name, j.priority, b.input, b.output, r.name, r.digest, r.document,
      b.batch, j.attempt, j.failures, j.crashes, j.max_attempts, j.progress, j.stage, j.frames,
      j.fps, j.remaining, j.error, j.partial, j.warnings, b.timeout, j.created_at, j.due_at,
      j.started_at, j.finished_at, j.cancel_requested, j.worker, w.pid
    FROM job j\(index.map { " INDEXED BY \($0)" } ?? "")
    JOIN job_body b ON b.job_id = j.id JOIN recipe r ON r.id = b.recipe
    JOIN queue q ON q.id = j.queue LEFT JOIN worker w ON w.id = j.worker
    """
  }

  init(row: borrowing Statement) throws {
    id = row[0]
    state = try row.state(1)
    queue = row[2]
    priority = row[3]
    input = row[4]
    output = row[5]
    recipe = JobRecipe(name: row[6], digest: row[7], canonicalJSON: row[8])
    batch = row[9]
    attempt = row[10]
    failures = row[11]
    crashes = row[12]
    maxAttempts = row[13]
    progress = Progress(
      fraction: row[14], stage: row[15], frames: row[16], fps: row[17], remaining: row.duration(18))
    error = row[19]
    isPartial = row[20]
    warnings = row[21]
    timeout = row.duration(22)
    createdAt = Date(milliseconds: row[23])
    scheduledAt = row.date(24)
    startedAt = row.date(25)
    finishedAt = row.date(26)
    cancelRequested = row[27]
    let worker: Int64? = row[28]
    lease = worker.map { Lease(jobID: row[0], attempt: row[10], worker: $0) }
    ownerPID = row[29]
  }
}

extension JobStore {
  /// Writes down what happened to a job, within the transaction that made it happen.
  func record(
    _ kind: Transition, of job: Job.ID, attempt: Int, state: JobState, detail: String? = nil,
    now: Date
  ) throws {
    try connection.run(
      "INSERT INTO event (job_id, at, attempt, kind, state, detail) VALUES (?, ?, ?, ?, ?, ?)",
      job, now.milliseconds, attempt, kind.rawValue, state.rawValue, detail)
  }
}
