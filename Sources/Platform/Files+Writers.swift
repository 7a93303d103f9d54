import CLinux
import Glibc

/// Whether anybody has a file open for writing.
public enum Writers: Hashable, Sendable {
  /// Nobody on this machine.
  case none
  /// At least one process, which may be this one.
  case some
  /// The kernel does not tell: the file is another user's, or its file system has no leases.
  case unknown
}

extension Files {
  /// Asks the kernel whether anybody has a file open for writing, or mapped so.
  ///
  /// Takes a read lease, which is refused while there is a writer, and gives it back at once. Whoever
  /// opens the file for writing within these microseconds waits for that (or is told to try again, if
  /// it opens without blocking). Needs to read the file, and to own it or have CAP_LEASE.
  ///
  /// Wraps `fcntl` with F_SETLEASE.
  /// - Throws: when the file cannot be opened for reading.
  public static func writers(of path: String) throws(PlatformError) -> Writers {
    // Not blocking, in case the name has come to stand for a FIFO.
    let file = FileDescriptor(
      owning: try check("open", path) { unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) })
    // The signal for a broken lease would be SIGIO, which ends a process; SIGURG does nothing.
    guard km_set_lease_signal(file.rawValue, SIGURG) == 0 else { return .unknown }
    guard km_set_lease(file.rawValue, F_RDLCK) == 0 else {
      return errno == EAGAIN ? .some : .unknown
    }
    _ = km_set_lease(file.rawValue, F_UNLCK)
    return .none
  }
}
