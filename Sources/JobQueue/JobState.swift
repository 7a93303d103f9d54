/// Where a job stands; the raw values are those in the file.
public enum JobState: Int, CaseIterable, Sendable {
  /// Waits for jobs that it comes after.
  case blocked = 0
  /// Is due later: by its time, or by back-off after a failure.
  case scheduled = 1
  /// Waits for a worker.
  case available = 2
  /// Belongs to an attempt that holds its lease.
  case running = 3
  /// Made its output.
  case completed = 4
  /// Ended in an error that another attempt would not mend.
  case failed = 5
  /// Was called off.
  case cancelled = 6
  /// Took its process down too often and is set aside.
  case quarantined = 7

  /// The state with the name that people read and write.
  public init?(name: String) {
    guard let state = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = state
  }

  /// The name in JSON and on the command line.
  ///
  /// Spelled out: a description that the runtime makes up takes longer than storing a job.
  public var name: String {
    switch self {
    case .blocked: "blocked"
    case .scheduled: "scheduled"
    case .available: "available"
    case .running: "running"
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .quarantined: "quarantined"
    }
  }

  /// Whether the job stays so unless somebody retries it.
  public var isFinal: Bool { rawValue >= JobState.completed.rawValue }

  /// Whether some transition leads from this state to `next`.
  public func canBecome(_ next: JobState) -> Bool {
    next != self && Transition.allCases.contains { $0.target == next && $0.sources.contains(self) }
  }
}
