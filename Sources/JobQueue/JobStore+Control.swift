public import FoundationEssentials
internal import SQLite

/// What became of a wish to cancel a job.
public enum Cancellation: Hashable, Sendable {
  /// The job was waiting and is cancelled.
  case cancelled
  /// The job is running; its supervisor ends it.
  case requested
  /// The job had ended before.
  case tooLate(JobState)
}

extension JobStore {
  /// Calls a job off.
  ///
  /// - Throws: `noSuchJob`.
  public func cancel(_ id: Job.ID, now: Date) throws -> Cancellation {
    try write(.full) {
      let job = try existingJob(id)
      if job.state.isFinal { return .tooLate(job.state) }
      if job.state == .running {
        try requestCancel(job, now)
        return .requested
      }
      try connection.run("UPDATE job SET finished_at = ? WHERE id = ?", now.milliseconds, id)
      try move(id, by: .cancelled, now: now)
      try settleChildren(of: id, endedAs: .cancelled, now: now)
      return .cancelled
    }
  }

  /// Makes a failed, cancelled or quarantined job available again; attempts are numbered on, and
  /// failures and crashes counted anew.
  ///
  /// - Returns: the job as it is now.
  /// - Throws: `noSuchJob`; `notAllowed` in any other state, or when a unique job like it is waiting.
  @discardableResult
  public func retry(_ id: Job.ID, now: Date) throws -> Job {
    try write(.full) {
      try refuseRetryBeforeParents(of: id)
      do {
        guard try move(id, by: .retried, now: now) else {
          let state = try existingJob(id).state
          throw QueueError(
            .notAllowed,
            "job \(id) is \(state.name); only a failed, cancelled or quarantined job is retried")
        }
      } catch SQLiteError.Code.notUnique {
        throw QueueError(
          .notAllowed,
          "job \(id): a job with the same input and recipe is already waiting or running")
      }
      try connection.run(
        """
        UPDATE job SET failures = 0, crashes = 0, error = NULL, finished_at = NULL, due_at = NULL,
          progress = 0, frames = NULL
        WHERE id = ?
        """, id)
      return try existingJob(id)
    }
  }

  /// What a job comes after still has to end well before it.
  private func refuseRetryBeforeParents(of id: Job.ID) throws {
    let parent = try connection.first(
      """
      SELECT j.id, j.state FROM dependency d JOIN job j ON j.id = d.parent
      WHERE d.child = ? AND NOT d.any_ending AND j.state <> \(JobState.completed.rawValue)
        AND (SELECT state FROM job WHERE id = d.child) >= 4
      ORDER BY j.id LIMIT 1
      """, id
    ) { row in (id: row[0] as Job.ID, state: JobState(rawValue: row[1])) }
    guard let parent else { return }
    throw QueueError(
      .notAllowed,
      "job \(id) comes after job \(parent.id), which is \(parent.state?.name ?? "unknown"); "
        + "retry it once that one has completed")
  }

  /// Gives a waiting job another priority.
  ///
  /// - Throws: `noSuchJob`; `notAllowed` when it is not waiting any more.
  public func setPriority(_ priority: Int, of id: Job.ID) throws {
    try write(.full) {
      let job = try existingJob(id)
      guard !job.state.isFinal, job.state != .running else {
        throw QueueError(
          .notAllowed, "job \(id) is \(job.state.name); only a waiting job's priority counts")
      }
      try connection.run("UPDATE job SET priority = ? WHERE id = ?", priority, id)
    }
  }

  private func requestCancel(_ job: Job, _ now: Date) throws {
    guard !job.cancelRequested else { return }
    guard let standing = try standing(of: job.id) else { return }
    let event = try record(.cancelRequested, of: standing, to: .running, now: now)
    try connection.run(
      "UPDATE job SET cancel_requested = 1, last_event = ? WHERE id = ?", event, job.id)
  }
}

// MARK: - Queues

/// A named queue and how it is set.
public struct QueueSettings: Hashable, Sendable {
  /// The queue's name.
  public var name: String
  /// Whether nothing is claimed from it.
  public var isPaused: Bool
  /// How many of its jobs may run at once.
  public var maxRunning: Int?
}

extension JobStore {
  /// Stops claims from a queue; what runs goes on.
  public func pause(queue: String) throws { try set("paused", of: queue, to: 1) }

  /// Allows claims from a queue again.
  public func resume(queue: String) throws { try set("paused", of: queue, to: 0) }

  /// Bounds how many jobs of a queue run at once; nil for no bound.
  public func setLimit(_ maxRunning: Int?, queue: String) throws {
    precondition(maxRunning ?? 1 > 0, "a queue that may run nothing is a paused one")
    try set("max_running", of: queue, to: maxRunning)
  }

  /// All queues that were ever used or set, by name.
  public func queues() throws -> [QueueSettings] {
    try read {
      try connection.query("SELECT name, paused, max_running FROM queue ORDER BY name") { row in
        QueueSettings(name: row[0], isPaused: row[1], maxRunning: row[2])
      }
    }
  }

  private func set(_ column: String, of queue: String, to value: Int?) throws {
    try write(.full) {
      try connection.run(
        "INSERT INTO queue (name, \(column)) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET \(column) = ?2",
        queue, value)
    }
  }
}
