import CLinux
import Glibc

/// A signal's number with a name.
public struct Signal: RawRepresentable, Hashable, Sendable {
  /// The number that the kernel uses.
  public let rawValue: Int32

  /// Takes any signal number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// SIGHUP: read the configuration again.
  public static let hangup = Signal(rawValue: SIGHUP)
  /// SIGINT: Ctrl-C.
  public static let interrupt = Signal(rawValue: SIGINT)
  /// SIGQUIT: Ctrl-\, with a core dump.
  public static let quit = Signal(rawValue: SIGQUIT)
  /// SIGABRT: the process gave itself up.
  public static let abort = Signal(rawValue: SIGABRT)
  /// SIGKILL: the end, at once.
  public static let kill = Signal(rawValue: SIGKILL)
  /// SIGSEGV: memory that is not there.
  public static let segmentationFault = Signal(rawValue: SIGSEGV)
  /// SIGILL: an instruction that is none; Swift's way to give up.
  public static let illegalInstruction = Signal(rawValue: SIGILL)
  /// SIGTRAP: a trap; Swift's way to give up on some processors.
  public static let trap = Signal(rawValue: SIGTRAP)
  /// SIGBUS: memory that cannot be had.
  public static let busError = Signal(rawValue: SIGBUS)
  /// SIGPIPE: nobody reads what is written.
  public static let brokenPipe = Signal(rawValue: SIGPIPE)
  /// SIGTERM: please end.
  public static let terminate = Signal(rawValue: SIGTERM)
  /// SIGCHLD: a child changed its state.
  public static let child = Signal(rawValue: SIGCHLD)
  /// SIGSTOP: stand still.
  public static let stop = Signal(rawValue: SIGSTOP)
  /// SIGCONT: go on.
  public static let `continue` = Signal(rawValue: SIGCONT)
  /// SIGTTIN: one process more.
  public static let terminalInput = Signal(rawValue: SIGTTIN)
  /// SIGTTOU: one process less.
  public static let terminalOutput = Signal(rawValue: SIGTTOU)
  /// SIGXCPU: the limit of CPU time is reached.
  public static let cpuLimit = Signal(rawValue: SIGXCPU)
  /// SIGXFSZ: a file would become longer than it may.
  public static let fileSizeLimit = Signal(rawValue: SIGXFSZ)
  /// SIGWINCH: the terminal has another size.
  public static let windowChange = Signal(rawValue: SIGWINCH)

  /// Ignores the signal in this whole process; children started here get its default back.
  ///
  /// Wraps `signal`.
  public func ignore() {
    _ = Glibc.signal(rawValue, SIG_IGN)
  }
}

extension Signal: CustomStringConvertible {
  /// The usual name, such as `SIGTERM`.
  public var description: String {
    // The name is static, so the pointer outlives the copy made of it here.
    guard let name = unsafe km_signal_name(rawValue) else { return "signal \(rawValue)" }
    return unsafe "SIG" + String(cString: name)
  }
}

/// Signals received as data: blocks them in the calling thread and reads them from a descriptor.
///
/// Made before other threads are, it governs the whole process; threads that libraries start while
/// they are loaded take no signals anyway (`SignalsAtStart.c`). Ends of the watch must come on the
/// thread that began it, whose earlier signal mask it restores.
public final class SignalWatch {
  /// One signal that came.
  public struct Arrival: Hashable, Sendable {
    /// Which.
    public let signal: Signal
    /// The process that sent it; 0 for the kernel or a terminal.
    public let sender: Int32
  }

  private let handle: FileDescriptor
  private var earlierMask = sigset_t()

  /// Becomes readable when a signal has come.
  public var descriptor: Int32 { handle.rawValue }

  /// Blocks `signals` from now on.
  ///
  /// Wraps `pthread_sigmask` and `signalfd`.
  public init(_ signals: [Signal]) throws(PlatformError) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal.rawValue) }
    handle = FileDescriptor(
      owning: try check("signalfd", "signals") { unsafe km_signal_descriptor(&set) })
    unsafe pthread_sigmask(SIG_BLOCK, &set, &earlierMask)
  }

  deinit { unsafe pthread_sigmask(SIG_SETMASK, &earlierMask, nil) }

  /// The next signal that has come, or `nil`; never blocks.
  ///
  /// Equal signals may have merged into one.
  public func next() throws(PlatformError) -> Arrival? {
    var sender: pid_t = 0
    do throws(PlatformError) {
      let number = try check("read", "signals") { unsafe km_signal_read(handle.rawValue, &sender) }
      return Arrival(signal: Signal(rawValue: number), sender: sender)
    } catch {
      guard error.code == .wouldBlock else { throw error }
      return nil
    }
  }
}
