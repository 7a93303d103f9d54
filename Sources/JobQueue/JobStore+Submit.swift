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
    try submit(requestID: requestID, now: now) { jobs }
  }

  /// Adds jobs that are made under the write lock.
  func submit(
    requestID: String?, now: Date, making jobs: () throws -> [NewJob]
  ) throws -> [Submission] {
    let request = requestID.map(RequestName.init)
    return try write(.full) {
      let jobs = try jobs()
      if let request, let earlier = try submissions(of: request, asked: jobs) { return earlier }
      let submissions = try jobs.map { try add($0, now: now) }
      if let request { try remember(submissions, as: request, now: now) }
      return submissions
    }
  }

  /// Adds one job within a write transaction.
  func add(_ new: NewJob, now: Date) throws -> Submission {
    let recipe = try rows.recipe(new.recipe, connection)
    if new.isUnique, let existing = try liveJob(of: recipe, new.input) {
      return Submission(job: existing, isNew: false)
    }
    let parents = try Set(new.after).map { id in (id: id, state: try parentState(id)) }
    let waiting = parents.count { !$0.state.isFinal }
    let lost = new.runsAfterAny ? [] : parents.filter { $0.state.isFinal && $0.state != .completed }
    let state: JobState =
      if waiting > 0 || !lost.isEmpty { .blocked } else if let due = new.due, due > now {
        .scheduled
      } else { .available }
    let job = Standing(
      job: try counters.nextJob(connection), queue: try rows.queue(new.queue, connection),
      state: nil,
      attempt: 0, lastEvent: nil)
    try insert(new, job, recipe, state, pending: waiting, now)
    if lost.isEmpty { return Submission(job: Job(job.job, new, state, now), isNew: true) }
    for parent in lost { try settleChildren(of: parent.id, endedAs: parent.state, now: now) }
    return Submission(job: try existingJob(job.job), isNew: true)
  }

  private func insert(
    _ new: NewJob, _ job: Standing, _ recipe: RowIDs.Recipe, _ state: JobState, pending: Int,
    _ now: Date
  ) throws {
    let event = try record(.submitted, of: job, to: state, now: now)
    try connection.run(
      Self.insertJob, job.job, job.queue, state.rawValue, new.priority, new.maxAttempts, pending,
      new.due?.milliseconds, event, now.milliseconds, new.isForced, new.timeout?.milliseconds,
      recipe.id, new.isUnique ? recipe.oldest : nil, new.input, new.output, new.batch)
    for parent in Set(new.after) {
      try connection.run(
        "INSERT INTO dependency (parent, child, any_ending) VALUES (?, ?, ?)",
        parent, job.job, new.runsAfterAny)
    }
  }

  private func liveJob(of recipe: RowIDs.Recipe, _ input: String) throws -> Job? {
    try connection.first(Self.selectUnique, recipe.oldest, input) { row in try job(from: row) }
  }

  private func parentState(_ id: Job.ID) throws -> JobState {
    guard let state = try standing(of: id)?.state else { throw QueueError.noSuchJob(id) }
    return state
  }

  private static let selectUnique = SQL(
    "\(Job.select) WHERE unique_recipe = ? AND input = ? AND state < 4")
  private static let insertJob: SQL = """
    INSERT INTO job (id, queue, state, priority, max_attempts, pending, due_at, last_event,
      created_at, forced, timeout, recipe, unique_recipe, input, output, batch)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
}

extension Job {
  /// The job that a new one has just become.
  init(_ id: ID, _ new: NewJob, _ state: JobState, _ now: Date) {
    self.init(
      id: id, state: state, queue: new.queue, priority: new.priority, input: new.input,
      output: new.output, recipe: new.recipe, batch: new.batch, attempt: 0, failures: 0,
      crashes: 0, maxAttempts: new.maxAttempts, progress: Progress(fraction: 0), error: nil,
      isPartial: false, warnings: 0, timeout: new.timeout,
      createdAt: Date(milliseconds: now.milliseconds),
      scheduledAt: (new.due?.milliseconds).map(Date.init(milliseconds:)), startedAt: nil,
      finishedAt: nil, cancelRequested: false, isForced: new.isForced, reusedFrom: nil, lease: nil,
      ownerPID: nil)
  }
}
