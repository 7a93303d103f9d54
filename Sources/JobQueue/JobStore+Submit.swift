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
    let request = requestID.map(RequestName.init)
    return try write(.full) {
      if let request, let earlier = try submissions(of: request, asked: jobs) { return earlier }
      var rows = RowIDs(connection)
      let submissions = try jobs.map { try submit($0, &rows, now: now) }
      if let request { try remember(submissions, as: request, now: now) }
      return submissions
    }
  }

  /// Adds one job within a write transaction.
  func submit(_ new: NewJob, _ rows: inout RowIDs, now: Date) throws -> Submission {
    let recipe = try rows.recipe(new.recipe)
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
      job: try counters.next(.job, connection), queue: try rows.queue(new.queue), state: nil,
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

/// Finds or makes the rows of queues and recipes, each looked up once in a submission.
struct RowIDs {
  /// The row of a recipe, and the oldest one with the same document.
  struct Recipe {
    let id: Int64
    let oldest: Int64
  }

  private let connection: Connection
  private var queues: [String: Int64] = [:]
  private var recipes: [JobRecipe: Recipe] = [:]
  /// The recipe looked up last, since hashing a document takes as long as storing a job.
  private var latest: (key: JobRecipe, value: Recipe)?

  init(_ connection: Connection) { self.connection = connection }

  mutating func queue(_ name: String) throws -> Int64 {
    if let known = queues[name] { return known }
    let select: SQL = "SELECT id FROM queue WHERE name = ?"
    var id: Int64? = try connection.first(select, name) { $0[0] }
    if id == nil {
      try connection.run("INSERT INTO queue (name) VALUES (?)", name)
      id = connection.lastInsertedRowID
    }
    queues[name] = id
    return id ?? 0
  }

  mutating func recipe(_ recipe: JobRecipe) throws -> Recipe {
    if let latest, latest.key == recipe { return latest.value }
    let found = try recipes[recipe] ?? find(recipe) ?? insert(recipe)
    recipes[recipe] = found
    latest = (recipe, found)
    return found
  }

  private func find(_ recipe: JobRecipe) throws -> Recipe? {
    try connection.first(
      """
      SELECT id, (SELECT min(id) FROM recipe WHERE digest = ?1) FROM recipe
      WHERE digest = ?1 AND name = ?2
      """, recipe.digest, recipe.name
    ) { row in Recipe(id: row[0], oldest: row[1]) }
  }

  private func insert(_ recipe: JobRecipe) throws -> Recipe {
    try connection.run(
      "INSERT INTO recipe (digest, name, document) VALUES (?, ?, ?)",
      recipe.digest, recipe.name, recipe.canonicalJSON)
    let id = connection.lastInsertedRowID
    return try find(recipe) ?? Recipe(id: id, oldest: id)
  }
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
