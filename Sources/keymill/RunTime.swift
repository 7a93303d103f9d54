import FoundationEssentials
import JobQueue

extension JobStore {
  /// How long a job's latest attempt ran or has run so far, waiting not counted, in words; `-` before
  /// the first.
  func runTime(of job: Job) throws -> String {
    guard let startedAt = job.startedAt else { return "-" }
    switch job.state {
    case .running: return Self.words(from: startedAt, to: Date())
    case .completed: return Self.words(from: startedAt, to: job.finishedAt)
    default:
      // The job may have waited since, and have ended waiting: its attempts know.
      guard let last = try attempts(of: job.id).last else { return "-" }
      return Self.words(from: last.startedAt, to: last.endedAt)
    }
  }

  private static func words(from start: Date, to end: Date?) -> String {
    guard let end else { return "-" }
    return String(tenths: max(0, end.timeIntervalSince(start))) + " s"
  }
}
