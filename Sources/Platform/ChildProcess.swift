import CLinux
import Glibc

/// A process that this one started, from its first instruction until it is reaped.
///
/// It leads a process group of its own, has exactly the descriptors it was given, and starts with
/// no signal blocked or ignored. Whoever holds it must `reap()` it; letting go of the object
/// neither ends the process nor reaps it.
public final class ChildProcess {
  /// What to start and with what.
  public struct Launch: Sendable {
    /// The program's path; it is not searched for.
    public var executable: String
    /// The arguments, the first being the program's name as it will see it.
    public var arguments: [String]
    /// The whole environment.
    public var environment: [String: String]
    /// The descriptors it gets: its number → ours.
    ///
    /// 0, 1 and 2 are `/dev/null` unless given.
    public var descriptors: [Int32: Int32]
    /// Where it starts; this process's directory when `nil`.
    public var workingDirectory: String?

    /// Describes a start of `executable` with `arguments` after its name.
    public init(
      _ executable: String, _ arguments: [String] = [],
      environment: [String: String] = Environment.current,
      descriptors: [Int32: Int32] = [:], workingDirectory: String? = nil
    ) {
      self.executable = executable
      self.arguments = [executable] + arguments
      self.environment = environment
      self.descriptors = descriptors
      self.workingDirectory = workingDirectory
    }
  }

  /// The process's number, also that of its group.
  public let pid: Int32
  /// How it ended, once it was reaped.
  public private(set) var exit: Exit?
  private let handle: FileDescriptor

  /// A pidfd: becomes readable when the process ends.
  public var descriptor: Int32 { handle.rawValue }

  /// Starts the process.
  ///
  /// Returns when its program is loaded, so a missing one throws here.
  ///
  /// Wraps `posix_spawn` and `pidfd_open`.
  public convenience init(_ launch: Launch) throws(PlatformError) {
    try self.init(adopting: try spawn(launch))
  }

  /// Takes charge of a child that came by ``forkSibling()``; ends it if that fails.
  ///
  /// Wraps `pidfd_open`.
  public init(adopting pid: Int32) throws(PlatformError) {
    do throws(PlatformError) {
      // No other process can have this number before it is reaped.
      handle = FileDescriptor(
        owning: try check("pidfd_open", "process \(pid)") { km_pidfd_open(pid) })
    } catch {
      _ = Glibc.kill(-pid, SIGKILL)
      _ = waitpid(pid, nil, 0)
      throw error
    }
    self.pid = pid
  }

  /// Sends a signal to the process alone.
  /// - Returns: whether it was still there to get it.
  @discardableResult
  public func send(_ signal: Signal) -> Bool {
    exit == nil && Glibc.kill(pid, signal.rawValue) == 0
  }

  /// Sends a signal to the process and all it started that stayed in its group.
  /// - Returns: whether anybody was still there to get it.
  @discardableResult
  public func sendToGroup(_ signal: Signal) -> Bool {
    exit == nil && Glibc.kill(-pid, signal.rawValue) == 0
  }

  /// If the process has ended, ends what is left of its group and says how it went; never blocks.
  public func reap() throws(PlatformError) -> Exit? {
    try collect(options: WNOHANG)
  }

  /// Blocks until the process has ended, ends what is left of its group and says how it went.
  public func wait() throws(PlatformError) -> Exit {
    while true {
      if let exit = try collect(options: 0) { return exit }
    }
  }

  private func collect(options: Int32) throws(PlatformError) -> Exit? {
    if let exit { return exit }
    let ended = try check("waitid", "process \(pid)") { km_has_ended(pid, options) }
    guard ended == 1 else { return nil }
    // The unreaped leader still keeps the group's number from being given to strangers.
    _ = Glibc.kill(-pid, SIGKILL)
    var status: Int32 = 0
    var usage = rusage()
    try check("wait4", "process \(pid)") { unsafe wait4(pid, &status, 0, &usage) }
    let exit = Exit(status: ExitStatus(waitStatus: status), usage: ResourceUsage(usage))
    self.exit = exit
    return exit
  }
}

/// Makes this process get SIGKILL when the thread that started it ends.
///
/// To be called first in a child of a single-threaded parent. Wraps `prctl(PR_SET_PDEATHSIG)`.
/// - Parameter parent: the process that should be our parent.
/// - Throws: `noSuchProcess` when it has died already, so that no signal would ever come.
public func dieWithParent(_ parent: Int32) throws(PlatformError) {
  try check("prctl", "parent \(parent)") { km_set_parent_death_signal(SIGKILL) }
  guard getppid() == parent else {
    throw PlatformError(code: .noSuchProcess, call: "prctl", subject: "parent \(parent)")
  }
}
