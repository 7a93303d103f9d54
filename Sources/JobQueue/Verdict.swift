internal import FoundationEssentials

/// What an ending makes of a job, by the laws of the queue; no database involved.
struct Verdict: Hashable {
  var transition: Transition
  var error: String?
  var failures: Int
  var crashes: Int
  var dueAt: Date?

  /// What a job has been through before the attempt ended.
  struct Record: Hashable {
    var jobID: Job.ID
    var failures: Int
    var crashes: Int
    var maxAttempts: Int
    var cancelRequested: Bool
  }

  init(_ ending: Ending, after record: Record, options: JobStore.Options, now: Date) {
    failures = record.failures
    crashes = record.crashes
    // A job that was called off does not come back, however its attempt ended meanwhile.
    let ending = record.cancelRequested && !ending.isCompletion ? .cancelled : ending
    switch ending {
    case .completed:
      transition = .completed
    case .cancelled:
      transition = .cancelled
    case .failed(let error, let kind):
      failures += 1
      let isOver = kind == .permanent || failures >= record.maxAttempts
      (transition, self.error) = (isOver ? .failed : .retrying, error)
      if !isOver {
        let delay = options.backoff.delay(after: failures, seed: record.jobID)
        let due = now.addingTimeInterval(Double(delay.milliseconds) / 1000)
        dueAt = if case .deferred(let until) = kind { max(due, until) } else { due }
      }
    case .crashed(let reason):
      crashes += 1
      (transition, error) = (crashes < options.crashLimit ? .crashed : .quarantined, reason)
    case .lost(let reason):
      failures += 1
      (transition, error) = (failures < record.maxAttempts ? .lost : .quarantined, reason)
    case .released(let reason):
      (transition, error) = (.released, reason)
    case .postponed(let reason, let until):
      (transition, error, dueAt) = (.postponed, reason, until)
    }
  }
}

extension Ending {
  fileprivate var isCompletion: Bool {
    if case .completed = self { true } else { false }
  }
}
