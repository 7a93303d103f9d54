import CLinux
import Glibc

/// Starts a process as `ChildProcess` promises it and returns its number.
func spawn(_ launch: ChildProcess.Launch) throws(PlatformError) -> Int32 {
  let table = try DescriptorTable(launch.descriptors)
  var plan = try SpawnPlan(table, workingDirectory: launch.workingDirectory)
  return try plan.start(launch)
}

/// Our descriptors moved above every number of the child, so that no `dup2` overwrites one that a
/// later `dup2` still needs.
private struct DescriptorTable: ~Copyable {
  /// Pairs (the child's number, our copy's), in order of the child's numbers.
  var moves: [(child: Int32, copy: Int32)] = []
  /// The first number that is closed in the child.
  let end: Int32

  init(_ descriptors: [Int32: Int32]) throws(PlatformError) {
    end = max(2, descriptors.keys.max() ?? 2) + 1
    for (child, ours) in descriptors.sorted(by: { $0.key < $1.key }) {
      let copy = try check("fcntl", "descriptor \(ours)") { fcntl(ours, F_DUPFD_CLOEXEC, end) }
      moves.append((child, copy))
    }
  }

  deinit {
    for move in moves { _ = close(move.copy) }
  }
}

/// The file actions and attributes of one `posix_spawn`.
///
/// Safe: it alone makes, changes and frees the two C structures, neither of which points into
/// itself.
@safe
private struct SpawnPlan: ~Copyable {
  private var actions = unsafe posix_spawn_file_actions_t()
  private var attributes = posix_spawnattr_t()

  init(
    _ table: borrowing DescriptorTable, workingDirectory: String?
  ) throws(PlatformError) {
    // Both only allocate, and both structures live as long as this plan, which frees them.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    try addDescriptors(table)
    if let workingDirectory {
      try checkCode("posix_spawn_file_actions_addchdir_np", workingDirectory) {
        unsafe km_spawn_change_directory(&actions, workingDirectory)
      }
    }
    try setAttributes()
  }

  deinit {
    var actions = unsafe actions
    var attributes = attributes
    unsafe posix_spawn_file_actions_destroy(&actions)
    unsafe posix_spawnattr_destroy(&attributes)
  }

  private mutating func addDescriptors(
    _ table: borrowing DescriptorTable
  ) throws(PlatformError) {
    var given: Set<Int32> = []
    for (child, copy) in table.moves {
      given.insert(child)
      try checkCode("posix_spawn_file_actions_adddup2", "descriptor \(child)") {
        unsafe posix_spawn_file_actions_adddup2(&actions, copy, child)
      }
    }
    for number in 0..<table.end where !given.contains(number) {
      try checkCode("posix_spawn_file_actions_addopen", "descriptor \(number)") {
        number <= 2
          ? unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
          : unsafe posix_spawn_file_actions_addclose(&actions, number)
      }
    }
    let end = table.end
    try checkCode("posix_spawn_file_actions_addclosefrom_np", "descriptor \(end)") {
      unsafe km_spawn_close_from(&actions, end)
    }
  }

  private mutating func setAttributes() throws(PlatformError) {
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    try checkCode("posix_spawnattr_setflags", "process") {
      unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    }
  }

  mutating func start(_ launch: ChildProcess.Launch) throws(PlatformError) -> Int32 {
    var pid: pid_t = 0
    let environment = launch.environment.map { "\($0.key)=\($0.value)" }
    try checkCode("posix_spawn", launch.executable) {
      // The arrays end with a null pointer and live until the call returns, which copies them.
      unsafe withCStrings(launch.arguments) { arguments in
        unsafe withCStrings(environment) { variables in
          unsafe posix_spawn(
            &pid, launch.executable, &actions, &attributes, arguments, variables)
        }
      }
    }
    return pid
  }
}

/// Runs a call of the `posix_spawn` family, which returns its error instead of setting errno.
private func checkCode(
  _ call: String, _ subject: String, _ body: () -> Int32
) throws(PlatformError) {
  let code = body()
  guard code != 0 else { return }
  throw PlatformError(code: ErrorCode(rawValue: code), call: call, subject: subject)
}

/// Lends a null-terminated array of C strings for the duration of `body`.
private func withCStrings<R>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
  defer {
    for index in unsafe pointers.indices { unsafe free(pointers[index]) }
  }
  return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
    // Never empty: it holds at least the null.
    guard let base = buffer.baseAddress else { preconditionFailure("an array without a null") }
    return unsafe body(base)
  }
}
