import CLinux
import Glibc

/// Names one process for good: a number alone is given again to others.
public struct ProcessIdentity: Hashable, Sendable {
  /// The kernel's random id of this boot.
  public let bootID: String
  /// The PID namespace the number counts in: two containers may both have a process 7.
  public let namespace: UInt64
  /// The process's number.
  public let pid: Int32
  /// When it started, in clock ticks since boot.
  public let startTime: UInt64

  /// This process.
  public static var current: ProcessIdentity {
    get throws(PlatformError) {
      guard let identity = try ProcessIdentity(pid: getpid()) else {
        throw PlatformError(code: .noSuchProcess, call: "read", subject: "/proc/self/stat")
      }
      return identity
    }
  }

  /// The process that has this number now, or `nil` when none has or it has ended unreaped.
  public init?(pid: Int32) throws(PlatformError) {
    guard let startTime = try runningSince(pid) else { return nil }
    self.pid = pid
    self.startTime = startTime
    bootID = try currentBootID()
    namespace = try FileStatus("/proc/self/ns/pid").inode
  }

  /// Whether the process may still run.
  ///
  /// `false` is certain. A process of another container cannot be seen and counts as alive: its
  /// lease must run out.
  public var isAlive: Bool {
    get throws(PlatformError) {
      guard try currentBootID() == bootID else { return false }
      guard try FileStatus("/proc/self/ns/pid").inode == namespace else { return true }
      return try runningSince(pid) == startTime
    }
  }
}

extension ProcessIdentity: LosslessStringConvertible {
  /// The four parts with colons between them, to be stored.
  public var description: String { "\(bootID):\(namespace):\(pid):\(startTime)" }

  /// Reads what `description` wrote.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[0].isEmpty, let namespace = UInt64(parts[1]),
      let pid = Int32(parts[2]), let startTime = UInt64(parts[3])
    else { return nil }
    self.bootID = String(parts[0])
    self.namespace = namespace
    self.pid = pid
    self.startTime = startTime
  }
}

private func currentBootID() throws(PlatformError) -> String {
  let text = try Files.read("/proc/sys/kernel/random/boot_id")
  return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
}

/// The start time of a process that runs, or `nil` for none or a zombie.
private func runningSince(_ pid: Int32) throws(PlatformError) -> UInt64? {
  do throws(PlatformError) {
    let text = String(decoding: try Files.read("/proc/\(pid)/stat"), as: UTF8.self)
    // proc(5): the name in brackets may hold anything, so count from the last bracket on. After it,
    // state is the 1st field and start time the 20th.
    guard let bracket = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: bracket)...].split(separator: " ")
    guard fields.count >= 20, fields[0] != "Z", fields[0] != "X" else { return nil }
    return UInt64(fields[19])
  } catch {
    // ESRCH: it ended between open and read.
    guard error.isNotFound || error.code == .noSuchProcess else { throw error }
    return nil
  }
}

/// Gives this process the name that `ps` and `top` show; at most 15 bytes of it.
///
/// To be called on the first thread. Wraps `prctl(PR_SET_NAME)`.
public func nameProcess(_ name: String) {
  // Cannot fail: the kernel copies what it has room for.
  _ = unsafe km_name_thread(name)
}
