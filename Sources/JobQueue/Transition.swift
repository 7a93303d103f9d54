/// What can happen to a job: the one table of the queue's states, and the kinds of its events.
///
/// Every change of a job's state is one of these, and leaves an event of that kind; the tests walk the
/// table whole. The raw values are those in the file.
public enum Transition: Int, CaseIterable, Sendable {
  /// Came into the queue.
  case submitted = 0
  /// The jobs it comes after have ended well.
  case unblocked = 1
  /// The same, but its time has not come.
  case deferred = 2
  /// One of the jobs it comes after has not.
  case parentFailed = 3
  /// Its time has come.
  case due = 4
  /// A supervisor took it and begins an attempt.
  case claimed = 5
  /// The attempt published its output.
  case completed = 6
  /// The attempt failed for good, or for the last time.
  case failed = 7
  /// The attempt failed, and the next waits for its time.
  case retrying = 8
  /// The attempt cannot go on yet (no space); it costs nothing.
  case postponed = 9
  /// The attempt was given back unfinished; it costs nothing.
  case released = 10
  /// The job process died.
  case crashed = 11
  /// The supervisor died, or its lease ran out.
  case lost = 12
  /// The job process or its supervisor died once too often.
  case quarantined = 13
  /// Was called off while running; the supervisor is to end the attempt.
  case cancelRequested = 14
  /// Was called off, and is not running any more.
  case cancelled = 15
  /// Somebody wants it tried again.
  case retried = 16

  /// The states it leads from; none for a new job.
  public var sources: Set<JobState> {
    switch self {
    case .submitted: []
    case .unblocked, .deferred, .parentFailed: [.blocked]
    case .due: [.scheduled]
    case .claimed: [.available]
    case .completed, .failed, .retrying, .postponed, .released, .crashed, .lost, .quarantined,
      .cancelRequested:
      [.running]
    case .cancelled: [.blocked, .scheduled, .available, .running]
    case .retried: [.failed, .cancelled, .quarantined]
    }
  }

  /// The state it leads to; nil for a new job, which may begin in any of the waiting ones.
  public var target: JobState? {
    switch self {
    case .submitted: nil
    case .unblocked, .due, .released, .crashed, .lost, .retried: .available
    case .deferred, .retrying, .postponed: .scheduled
    case .claimed, .cancelRequested: .running
    case .completed: .completed
    case .parentFailed, .failed: .failed
    case .quarantined: .quarantined
    case .cancelled: .cancelled
    }
  }

  /// The name in JSON, in words joined by hyphens.
  public var name: String {
    switch self {
    case .parentFailed: "parent-failed"
    case .cancelRequested: "cancel-requested"
    default: String(describing: self)
    }
  }
}
