import CLinux
import Glibc

/// Which of the two processes this is after a fork.
public enum ForkSide: Hashable, Sendable {
  /// The one that called.
  case caller
  /// The new one.
  case new
}

/// Forks into a brother: a child not of this process but of its parent, and the leader of a process
/// group of its own.
///
/// Nobody stands between the two: the parent waits for the new process, gets its exit status and its
/// use, and takes charge of it with ``ChildProcess/init(adopting:)``. The new process outlives the
/// caller but, by ``dieWithParent(_:)``, not the parent.
///
/// To be called while there is one thread, since only that one exists in the new process, where what
/// libraries have registered for a fork does not run. It ends by ``endProcess(after:)``. Wraps `clone3(CLONE_PARENT)`.
public func forkSibling() throws(PlatformError) -> ForkSide {
  let pid = try check("clone3", "process") { km_fork_sibling() }
  guard pid == 0 else { return .caller }
  // Cannot fail: a process so new leads no session.
  _ = setpgid(0, 0)
  return .new
}

/// Makes `descriptors` 0, 1, 2 and so on, and closes all others.
///
/// No owner of one may be left in this process. Wraps `dup2` and `close_range`.
public func replaceDescriptors(with descriptors: [Int32]) throws(PlatformError) {
  let count = Int32(descriptors.count)
  // Above the target numbers first, so that no copy overwrites one that is still needed.
  var copies: [Int32] = []
  for descriptor in descriptors {
    copies.append(
      try check("fcntl", "descriptor \(descriptor)") {
        fcntl(descriptor, F_DUPFD_CLOEXEC, count)
      })
  }
  for (number, copy) in zip(Int32(0)..., copies) {
    try check("dup2", "descriptor \(number)") { dup2(copy, number) }
  }
  try check("close_range", "descriptors") { km_close_from(UInt32(count)) }
}

/// Runs `body` on a new thread and ends the process with what it returns; nothing else is cleaned up.
///
/// After a fork the old thread will not do: the C library and Swift's `Mutex` have noted its number in
/// the process it comes from, and a `Mutex` that another thread waits for then fails (measured with
/// Swift 6.3). A new thread has its own. A sandbox that holds for the old one holds for it.
public func endProcess(after body: @escaping @Sendable () -> Int32) -> Never {
  let thread: WorkerThread
  do throws(PlatformError) {
    thread = try WorkerThread { _exit(body()) }
  } catch {
    _exit(EXIT_FAILURE)
  }
  thread.join()
  _exit(EXIT_FAILURE)
}

/// How many threads this process has.
public var threadCount: Int {
  get throws(PlatformError) { try Files.list("/proc/self/task").count }
}
