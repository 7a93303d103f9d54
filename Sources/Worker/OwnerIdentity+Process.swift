import FoundationEssentials
public import JobQueue
import Platform

extension OwnerIdentity {
  /// The supervisor that this process is; a new name each time it is asked for.
  static func ofThisProcess() throws(PlatformError) -> OwnerIdentity {
    let process = try ProcessIdentity.current
    return OwnerIdentity(
      bootID: "\(process.bootID):\(process.namespace)", pid: process.pid,
      startTime: Int64(clamping: process.startTime), supervisor: UUID().uuidString)
  }

  /// Whether the supervisor's process may still run.
  ///
  /// False is certain. Where the kernel does not say, the lease decides.
  public var isAlive: Bool {
    guard let process = ProcessIdentity("\(bootID):\(pid):\(startTime)") else { return false }
    return (try? process.isAlive) ?? true
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// Seconds with one decimal, for people.
  var seconds: String {
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The duration in words, such as `90 s`.
  var words: String { "\(seconds) s" }
}
