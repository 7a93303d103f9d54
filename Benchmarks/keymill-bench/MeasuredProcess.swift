import Glibc

/// What one process took from start to end, its own children included.
struct Usage {
  /// Seconds by the clock.
  var wall: Double
  /// Seconds of all cores together, in user and system mode.
  var cpu: Double
  /// The most memory that it held at once, in bytes.
  var peakMemory: Double
}

/// A process run to its end and measured by `wait4`.
///
/// Linux counts what the parent held at the moment of the start to the child's peak memory, so
/// whoever measures stays small.
enum MeasuredProcess {
  /// Runs `command`, found in PATH, with its output in the file `log`.
  ///
  /// - Throws: ``ProcessError`` where it cannot be started or does not end with status 0.
  static func run(_ command: [String], log: String) throws(ProcessError) -> Usage {
    let start = ContinuousClock.now
    let process = try spawn(command, log: log)
    var (status, usage) = (Int32(0), rusage())
    // The kernel writes to these two variables only, during the call only.
    while unsafe wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw ProcessError(command: command, code: errno, log: log) }
    }
    let wall = start.duration(to: .now)
    guard status == 0 else { throw ProcessError(command: command, status: status, log: log) }
    return Usage(
      wall: wall / .seconds(1), cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      peakMemory: Double(usage.ru_maxrss) * 1024)
  }

  private static func spawn(_ command: [String], log: String) throws(ProcessError) -> pid_t {
    // The argument strings are freed below, and posix_spawn keeps none of its pointers.
    var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, flags, 0o644)
    unsafe posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
    var process = pid_t()
    let code = unsafe posix_spawnp(&process, command[0], &files, nil, &arguments, environ)
    guard code == 0 else { throw ProcessError(command: command, code: code, log: log) }
    return process
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}

/// A measured command could not be started, or did not end well.
struct ProcessError: Error, CustomStringConvertible {
  let description: String

  /// A system call failed with `errno` code.
  init(command: [String], code: Int32, log: String) {
    // strerror's text is copied before anything else can overwrite it.
    let reason = unsafe String(cString: strerror(code))
    description = "\(command.joined(separator: " ")): \(reason)"
  }

  /// The process ended with this wait status.
  init(command: [String], status: Int32, log: String) {
    let signal = status & 0x7F
    let how = signal == 0 ? "exit status \(status >> 8 & 0xFF)" : "signal \(signal)"
    description = "\(command.joined(separator: " ")): \(how); its output is in \(log)"
  }
}
