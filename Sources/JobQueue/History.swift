public import FoundationEssentials

/// One attempt of a job, past or running.
public struct Attempt: Hashable, Sendable {
  /// Its number, from 1.
  public var number: Int
  /// When it began.
  public var startedAt: Date
  /// When it ended; nil while it runs.
  public var endedAt: Date?
  /// How it ended; nil while it runs.
  public var outcome: Transition?
  /// What went wrong.
  public var error: String?
  /// The process id of the supervisor that ran it.
  public var ownerPID: Int32?
  /// What is known of its process.
  public var report: AttemptReport
}

/// Something that happened to a job.
public struct JobEvent: Identifiable, Hashable, Sendable {
  /// Numbers events in the order of their commits; a cursor for ``JobStore/events(after:limit:)``.
  public var id: Int64
  /// The job.
  public var jobID: Job.ID
  /// When it happened.
  public var at: Date
  /// The number of the latest attempt then.
  public var attempt: Int
  /// What happened.
  public var kind: Transition
  /// The state it led to.
  public var state: JobState
  /// The error or the reason.
  public var detail: String?
}
