public import FoundationEssentials
internal import SQLite

extension JobStore {
  /// Adds jobs, all of them or none, durably.
  ///
  /// `requestID` names this call: a second one with the same name adds nothing and gives the jobs of
  /// the first. One submission is returned for each job, in their order. Throws `noSuchJob` when one
  /// comes after a job that is not there.
  public func submit(
    _ jobs: [NewJob], requestID: String? = nil, now: Date
  ) throws -> [Submission] {
    try write(.full) {
      if let requestID, let earlier = try submissions(ofRequest: requestID) { return earlier }
      var rows = RowIDs(connection)
      let submissions = try jobs.map { try submit($0, &rows, now) }
      if let requestID { try remember(submissions, asRequest: requestID) }
      return submissions
    }
  }

  private func submit(_ new: NewJob, _ rows: inout RowIDs, _ now: Date) throws -> Submission {
    if let existing = try liveJob(likeUnique: new) {
      return Submission(job: existing, isNew: false)
    }
    let parents = try Set(new.after).map { id in (id: id, state: try parentState(id)) }
    let waiting = parents.count { !$0.state.isFinal }
    let lost = new.runsAfterAny ? [] : parents.filter { $0.state.isFinal && $0.state != .completed }
    let state: JobState =
      if waiting > 0 || !lost.isEmpty { .blocked } else if let due = new.due, due > now {
        .scheduled
      } else { .available }
    let id = try insert(new, state, pending: waiting, &rows, now)
    try record(.submitted, of: id, attempt: 0, state: state, now: now)
    if lost.isEmpty { return Submission(job: Job(id, new, state, now), isNew: true) }
    for parent in lost { try settleChildren(of: parent.id, endedAs: parent.state, now: now) }
    return Submission(job: try existingJob(id), isNew: true)
  }

  private func insert(
    _ new: NewJob, _ state: JobState, pending: Int, _ rows: inout RowIDs, _ now: Date
  ) throws -> Job.ID {
    try connection.run(
      """
      INSERT INTO job
        (queue, state, priority, max_attempts, pending, created_at, due_at, unique_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      try rows.queue(new.queue), state.rawValue, new.priority, new.maxAttempts, pending,
      now.milliseconds, new.due?.milliseconds, new.uniqueKey)
    let id = connection.lastInsertedRowID
    try connection.run(
      """
      INSERT INTO job_body (job_id, recipe, input, output, batch, timeout)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      id, try rows.recipe(new.recipe), new.input, new.output, new.batch,
      new.timeout?.milliseconds)
    for parent in Set(new.after) {
      try connection.run(
        "INSERT INTO dependency (parent, child, any_ending) VALUES (?, ?, ?)",
        parent, id, new.runsAfterAny)
    }
    return id
  }

  private func liveJob(likeUnique new: NewJob) throws -> Job? {
    guard let key = new.uniqueKey else { return nil }
    return try connection.first(
      "\(Job.select) WHERE j.unique_key = ? AND j.unique_key IS NOT NULL AND j.state < 4", key
    ) { row in try Job(row: row) }
  }

  private func parentState(_ id: Job.ID) throws -> JobState {
    let state = try connection.first("SELECT state FROM job WHERE id = ?", id) { row in
      try row.state(0)
    }
    guard let state else { throw QueueError.noSuchJob(id) }
    return state
  }

  private func submissions(ofRequest name: String) throws -> [Submission]? {
    let earlier = try connection.query(
      """
      \(Job.select) JOIN request ON request.job_id = j.id
      WHERE request.name = ? ORDER BY request.position
      """, name
    ) { row in Submission(job: try Job(row: row), isNew: false) }
    return earlier.isEmpty ? nil : earlier
  }

  private func remember(_ submissions: [Submission], asRequest name: String) throws {
    for (position, submission) in submissions.enumerated() {
      try connection.run(
        "INSERT INTO request (name, position, job_id) VALUES (?, ?, ?)",
        name, position, submission.job.id)
    }
  }
}

/// Finds or makes the rows of queues and recipes, each looked up once in a submission.
private struct RowIDs {
  private let connection: Connection
  private var queues: [String: Int64] = [:]
  private var recipes: [JobRecipe: Int64] = [:]

  init(_ connection: Connection) { self.connection = connection }

  mutating func queue(_ name: String) throws -> Int64 {
    if let known = queues[name] { return known }
    try connection.run("INSERT INTO queue (name) VALUES (?) ON CONFLICT DO NOTHING", name)
    let id: Int64? = try connection.first("SELECT id FROM queue WHERE name = ?", name) { $0[0] }
    queues[name] = id
    return id ?? 0
  }

  mutating func recipe(_ recipe: JobRecipe) throws -> Int64 {
    if let known = recipes[recipe] { return known }
    try connection.run(
      "INSERT INTO recipe (digest, name, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      recipe.digest, recipe.name, recipe.canonicalJSON)
    let id: Int64? = try connection.first(
      "SELECT id FROM recipe WHERE digest = ? AND name = ?", recipe.digest, recipe.name
    ) { $0[0] }
    recipes[recipe] = id
    return id ?? 0
  }
}

extension Job {
  /// The job that a new one has just become.
  fileprivate init(_ id: ID, _ new: NewJob, _ state: JobState, _ now: Date) {
    self.init(
      id: id, state: state, queue: new.queue, priority: new.priority, input: new.input,
      output: new.output, recipe: new.recipe, batch: new.batch, attempt: 0, failures: 0,
      crashes: 0, maxAttempts: new.maxAttempts, progress: Progress(fraction: 0), error: nil,
      isPartial: false, warnings: 0, timeout: new.timeout,
      createdAt: Date(milliseconds: now.milliseconds),
      scheduledAt: (new.due?.milliseconds).map(Date.init(milliseconds:)), startedAt: nil,
      finishedAt: nil, cancelRequested: false, lease: nil, ownerPID: nil)
  }
}
