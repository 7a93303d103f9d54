public import FoundationEssentials

/// Which process a supervisor is, told apart from any other that gets its process id later.
public struct OwnerIdentity: Hashable, Sendable {
  /// The boot of the machine.
  public var bootID: String
  /// The process id.
  public var pid: Int32
  /// When the process started, in clock ticks since the boot (field 22 of `/proc/PID/stat`).
  public var startTime: Int64
  /// The supervisor's own unique name.
  public var supervisor: String

  /// Makes an identity of its parts.
  public init(bootID: String, pid: Int32, startTime: Int64, supervisor: String) {
    self.bootID = bootID
    self.pid = pid
    self.startTime = startTime
    self.supervisor = supervisor
  }
}

/// A supervisor in the registry.
public struct WorkerRecord: Hashable, Sendable {
  /// Which process it is.
  public var identity: OwnerIdentity
  /// The machine's name.
  public var host: String
  /// How many job processes it runs at most.
  public var processes: Int
  /// How many it is asked to run, where `scale` asked.
  public var desiredProcesses: Int?
  /// When it registered.
  public var startedAt: Date
  /// When it last registered again.
  public var seenAt: Date
  /// The jobs it runs.
  public var running: [Job.ID]
}
