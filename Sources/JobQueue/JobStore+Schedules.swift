public import FoundationEssentials
internal import SQLite

extension JobStore {
  /// Adds a recurring job; its first time is the next after `now`.
  ///
  /// - Throws: `notAllowed` where one has that name.
  @discardableResult
  public func addSchedule(_ new: NewSchedule, now: Date) throws -> JobSchedule {
    try write(.full) {
      guard try schedule(new.name) == nil else {
        throw QueueError(
          .notAllowed, "a schedule “\(new.name)” is there already; remove it or choose another name"
        )
      }
      try insert(new, now)
      guard let schedule = try schedule(new.name) else { throw QueueError.noSuchSchedule(new.name) }
      return schedule
    }
  }

  /// The recurring jobs, by name.
  public func schedules() throws -> [JobSchedule] {
    try readTogether {
      try connection.query("\(Self.selectSchedule) ORDER BY name") { row in try schedule(from: row)
      }
    }
  }

  /// Removes a recurring job; jobs that it submitted stay.
  ///
  /// - Throws: `noSuchSchedule`.
  public func removeSchedule(_ name: String) throws {
    try write(.full) {
      guard try connection.run("DELETE FROM schedule WHERE name = ?", name) > 0 else {
        throw QueueError.noSuchSchedule(name)
      }
    }
  }

  /// Submits the job of each schedule whose time has come, and sets its next time, in one transaction:
  /// however many processes ask, each time has one job.
  ///
  /// Times that nobody asked at are made up for by one job.
  ///
  /// - Returns: the jobs that were submitted; none for a unique one like which one still waits or runs.
  @discardableResult
  public func fireDueSchedules(now: Date) throws -> [Job] {
    guard let next = try nextSchedule(), next <= now else { return [] }
    return try write(.full) {
      try dueSchedules(now).compactMap { try fire($0, now) }
    }
  }
}

extension JobStore {
  /// When the next recurring job is due.
  func nextSchedule() throws -> Date? {
    try read {
      try connection.first(Self.selectNextSchedule) { row in row.date(0) } ?? nil
    }
  }

  private func insert(_ new: NewSchedule, _ now: Date) throws {
    let job = new.job
    try connection.run(
      """
      INSERT INTO schedule (name, cron, next_at, queue, recipe, input, output, priority, batch, timeout,
        max_attempts, is_unique, forced, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      new.name, new.cron.description, new.cron.next(after: now)?.milliseconds,
      try rows.queue(job.queue, connection), try rows.recipe(job.recipe, connection).id, job.input,
      job.output,
      job.priority,
      job.batch, job.timeout?.milliseconds, job.maxAttempts, job.isUnique, job.isForced,
      now.milliseconds)
  }

  private func schedule(_ name: String) throws -> JobSchedule? {
    try connection.first("\(Self.selectSchedule) WHERE name = ?", name) { row in
      try schedule(from: row)
    }
  }

  private func dueSchedules(_ now: Date) throws -> [JobSchedule] {
    try connection.query(
      "\(Self.selectSchedule) WHERE next_at <= ? ORDER BY next_at, name", now.milliseconds
    ) { row in try schedule(from: row) }
  }

  /// - Returns: the job, unless one stands for it.
  private func fire(_ schedule: JobSchedule, _ now: Date) throws -> Job? {
    // One that cannot be read any more has no next time; ``examine(bootNow:isAlive:)`` tells of it.
    let next = try? CronExpression(schedule.cron).next(after: now)
    let submission = try add(schedule.job, now: now)
    try connection.run(
      "UPDATE schedule SET next_at = ?, fired_at = ?, last_job = ? WHERE name = ?",
      next?.milliseconds, now.milliseconds, submission.job.id, schedule.name)
    return submission.isNew ? submission.job : nil
  }

  private func schedule(from row: borrowing Statement) throws -> JobSchedule {
    var job = NewJob(
      input: row[5], output: row[6], recipe: try names.recipe(row[4], connection))
    job.queue = try names.queue(row[3], connection)
    job.priority = row[7]
    job.batch = row[8]
    job.timeout = row.duration(9)
    job.maxAttempts = row[10]
    job.isUnique = row[11]
    job.isForced = row[12]
    return JobSchedule(
      name: row[0], cron: row[1], job: job, createdAt: Date(milliseconds: row[13]),
      nextAt: row.date(2), firedAt: row.date(14), lastJob: row[15])
  }

  private static let selectSchedule = """
    SELECT name, cron, next_at, queue, recipe, input, output, priority, batch, timeout, max_attempts,
      is_unique, forced, created_at, fired_at, last_job
    FROM schedule
    """
  private static let selectNextSchedule: SQL =
    "SELECT min(next_at) FROM schedule WHERE next_at IS NOT NULL"
}
