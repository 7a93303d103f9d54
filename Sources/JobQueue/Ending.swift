public import FoundationEssentials

/// How an attempt ended.
public enum Ending: Hashable, Sendable {
  /// With its output published.
  case completed(Completion)
  /// With an error, worded for people.
  case failed(String, FailureKind)
  /// With its process dead; the reason names the signal or exit code.
  case crashed(String)
  /// With its supervisor dead or past its lease.
  case lost(String)
  /// Because it was called off.
  case cancelled
  /// Given back unfinished, to be claimed again at once.
  case released(String)
  /// Given back unfinished until there is what it lacks.
  case postponed(String, until: Date)
}

/// Whether another attempt could mend a failure.
public enum FailureKind: Hashable, Sendable {
  /// It could not: the input or the recipe is wrong.
  case permanent
  /// It could: I/O, network, timed out, stalled.
  case transient
  /// It could, but not before a time: a server asks to be left alone until then.
  case deferred(until: Date)
}

/// What a completed attempt made.
public struct Completion: Hashable, Sendable {
  /// The result document of the job process.
  public var result: String?
  /// Whether the input was damaged and only in part turned into output.
  public var isPartial: Bool
  /// How many warnings the result lists.
  public var warnings: Int
  /// How many frames it holds, where it holds frames.
  public var frames: Int?
  /// What a person should know about how it came about; told by the event.
  public var note: String?
  /// What the output depends on, so that a later job for the same is given this one; nil for an
  /// output that is not to be given to others.
  public var memoKey: MemoKey?
  /// The job whose output was taken over, where it was not made anew.
  public var reusedFrom: Job.ID?

  /// Makes a completion of its parts.
  public init(
    result: String? = nil, isPartial: Bool = false, warnings: Int = 0, frames: Int? = nil,
    note: String? = nil, memoKey: MemoKey? = nil, reusedFrom: Job.ID? = nil
  ) {
    self.result = result
    self.isPartial = isPartial
    self.warnings = warnings
    self.frames = frames
    self.note = note
    self.memoKey = memoKey
    self.reusedFrom = reusedFrom
  }
}

/// What is known of the process of an attempt that has ended.
public struct AttemptReport: Hashable, Sendable {
  /// The process id.
  public var pid: Int32?
  /// The exit code, if it exited.
  public var exitCode: Int32?
  /// The signal that ended it, if one did.
  public var signal: Int32?
  /// User and system time.
  public var cpuTime: Duration?
  /// The largest resident set, in bytes.
  public var peakRSS: Int64?
  /// The end of what it wrote to standard error.
  public var logTail: String?

  /// Makes a report; what is not known is nil.
  public init(
    pid: Int32? = nil, exitCode: Int32? = nil, signal: Int32? = nil, cpuTime: Duration? = nil,
    peakRSS: Int64? = nil, logTail: String? = nil
  ) {
    self.pid = pid
    self.exitCode = exitCode
    self.signal = signal
    self.cpuTime = cpuTime
    self.peakRSS = peakRSS
    self.logTail = logTail
  }
}

/// An attempt that is over, for ``JobStore/finishAndClaim(_:limit:owner:leaseUntil:now:)``.
public struct FinishedAttempt: Hashable, Sendable {
  /// The right under which it ran.
  public var lease: Lease
  /// How it ended.
  public var ending: Ending
  /// What is known of its process.
  public var report: AttemptReport

  /// Makes a finished attempt of its parts.
  public init(_ lease: Lease, _ ending: Ending, report: AttemptReport = AttemptReport()) {
    self.lease = lease
    self.ending = ending
    self.report = report
  }
}
