internal import FoundationEssentials
internal import Recipes

/// A job as keymill shows it to programs: every field is always there, and null where it has no value.
///
/// The input is shown without what is secret in a URL.
public struct JobJSON: Encodable, Sendable {
  private let job: Job

  /// Shows a job.
  public init(_ job: Job) { self.job = job }

  private enum Key: String, CodingKey {
    case id, state, queue, priority, input, output, recipe, recipeDigest, batch
    case attempt, maxAttempts, failures, crashes, progress, stage, frames, fps, eta
    case error, partial, warnings, timeout, cancelRequested, forced, reusedFrom, pid
    case createdAt, scheduledAt, startedAt, finishedAt
  }

  /// Writes the fields; durations in seconds, times in RFC 3339.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(job.id, forKey: .id)
    try fields.encode(job.state.name, forKey: .state)
    try fields.encode(job.queue, forKey: .queue)
    try fields.encode(job.priority, forKey: .priority)
    try fields.encode(job.inputName.shown, forKey: .input)
    try fields.encode(job.output, forKey: .output)
    try fields.encode(job.recipe.name, forKey: .recipe)
    try fields.encode(job.recipe.digest, forKey: .recipeDigest)
    try fields.encode(job.batch, forKey: .batch)
    try fields.encode(job.attempt, forKey: .attempt)
    try fields.encode(job.maxAttempts, forKey: .maxAttempts)
    try fields.encode(job.failures, forKey: .failures)
    try fields.encode(job.crashes, forKey: .crashes)
    try fields.encode(job.progress.fraction, forKey: .progress)
    try fields.encode(job.progress.stage, forKey: .stage)
    try fields.encode(job.progress.frames, forKey: .frames)
    try fields.encode(job.progress.fps, forKey: .fps)
    try fields.encode(job.progress.remaining?.seconds, forKey: .eta)
    try fields.encode(job.error, forKey: .error)
    try fields.encode(job.isPartial, forKey: .partial)
    try fields.encode(job.warnings, forKey: .warnings)
    try fields.encode(job.timeout?.seconds, forKey: .timeout)
    try fields.encode(job.cancelRequested, forKey: .cancelRequested)
    try fields.encode(job.isForced, forKey: .forced)
    try fields.encode(job.reusedFrom, forKey: .reusedFrom)
    try fields.encode(job.ownerPID, forKey: .pid)
    try fields.encode(job.createdAt.rfc3339, forKey: .createdAt)
    try fields.encode(job.scheduledAt?.rfc3339, forKey: .scheduledAt)
    try fields.encode(job.startedAt?.rfc3339, forKey: .startedAt)
    try fields.encode(job.finishedAt?.rfc3339, forKey: .finishedAt)
  }
}

/// An attempt as keymill shows it to programs.
public struct AttemptJSON: Encodable, Sendable {
  private let attempt: Attempt

  /// Shows an attempt.
  public init(_ attempt: Attempt) { self.attempt = attempt }

  private enum Key: String, CodingKey {
    case number, outcome, startedAt, endedAt, error, supervisor, pid, exitCode, signal
    case cpuTime, peakRSS, log
  }

  /// Writes the fields; CPU time in seconds, memory in bytes, `outcome` null while it runs.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(attempt.number, forKey: .number)
    try fields.encode(attempt.outcome?.name, forKey: .outcome)
    try fields.encode(attempt.startedAt.rfc3339, forKey: .startedAt)
    try fields.encode(attempt.endedAt?.rfc3339, forKey: .endedAt)
    try fields.encode(attempt.error, forKey: .error)
    try fields.encode(attempt.ownerPID, forKey: .supervisor)
    try fields.encode(attempt.report.pid, forKey: .pid)
    try fields.encode(attempt.report.exitCode, forKey: .exitCode)
    try fields.encode(attempt.report.signal, forKey: .signal)
    try fields.encode(attempt.report.cpuTime?.seconds, forKey: .cpuTime)
    try fields.encode(attempt.report.peakRSS, forKey: .peakRSS)
    try fields.encode(attempt.report.logTail, forKey: .log)
  }
}

/// An event as keymill shows it to programs.
public struct EventJSON: Encodable, Sendable {
  private let event: JobEvent

  /// Shows an event.
  public init(_ event: JobEvent) { self.event = event }

  private enum Key: String, CodingKey {
    case id, job, at, event, state, attempt, detail
  }

  /// Writes the fields.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(event.id, forKey: .id)
    try fields.encode(event.jobID, forKey: .job)
    try fields.encode(event.at.rfc3339, forKey: .at)
    try fields.encode(event.kind.name, forKey: .event)
    try fields.encode(event.state.name, forKey: .state)
    try fields.encode(event.attempt, forKey: .attempt)
    try fields.encode(event.detail, forKey: .detail)
  }
}

extension QueueStats: Encodable {
  private enum Key: String, CodingKey { case states, queues }

  /// Writes the counts by state, and by queue and state; a state without jobs counts 0.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(Self.named { count($0) }, forKey: .states)
    try fields.encode(
      queues.mapValues { counts in Self.named { counts[$0, default: 0] } }, forKey: .queues)
  }

  private static func named(_ count: (JobState) -> Int) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: JobState.allCases.map { ($0.name, count($0)) })
  }
}

extension Date {
  /// The time in RFC 3339, UTC, to the millisecond.
  fileprivate var rfc3339: String { ISO8601Format(.init(includingFractionalSeconds: true)) }
}

extension Duration {
  fileprivate var seconds: Double { Double(milliseconds) / 1000 }
}
