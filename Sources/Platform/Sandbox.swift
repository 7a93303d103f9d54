import CLinux
import Glibc

/// Confines this process to what one job needs, for good.
///
/// Files by Landlock, system calls by a seccomp filter (no network unless it is allowed, no other
/// program, no other process; the table is in `Sandbox.c`), resources by limits, and no way back. Threads and children
/// started later are confined as well.
public struct Sandbox: Sendable {
  /// Files and directories to read from, a directory with all beneath.
  ///
  /// What is not there is passed over.
  public var readable: [String]
  /// Directories to make, change and remove files in.
  public var writable: [String]
  /// How much memory of its own the process may have, in bytes.
  public var maxMemory: Int64?
  /// How long a file may become that it writes, in bytes.
  ///
  /// A write beyond that fails where SIGXFSZ is ignored, and ends the process where it is not.
  public var maxFileSize: Int64?
  /// How many descriptors it may have open.
  public var maxDescriptors = 256
  /// Whether it may connect to the internet, and read what finding and trusting a host takes.
  ///
  /// It still cannot be a server, nor talk to other programs through sockets of this machine's own.
  public var allowsNetwork = false

  /// A sandbox that has the system's libraries and data, and these.
  public init(
    readable: [String], writable: [String], maxMemory: Int64? = nil, maxFileSize: Int64? = nil
  ) {
    self.readable = readable
    self.writable = writable
    self.maxMemory = maxMemory
    self.maxFileSize = maxFileSize
  }

  /// What any program reads: libraries that are loaded late, character sets, time zones, fonts.
  static let systemPaths = [
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share", "/lib", "/lib64",
    "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/ssl/openssl.cnf",
    "/proc/self/status", "/proc/self/maps", "/proc/sys/kernel/random/boot_id", "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu", "/sys/fs/cgroup/cpu.max",
    "/dev/null", "/dev/zero", "/dev/urandom",
  ]

  /// What the resolver and TLS read besides.
  static let networkPaths = [
    "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services", "/etc/ssl/certs",
  ]

  /// Confines the calling thread's process as far as the kernel can.
  ///
  /// To be called while there is one thread.
  public func enter() throws(PlatformError) {
    let support = SandboxSupport.current
    try limit(.core, to: 0)
    try limit(.descriptors, to: UInt(maxDescriptors))
    if let maxMemory { try limit(.data, to: UInt(maxMemory)) }
    if let maxFileSize { try limit(.fileSize, to: UInt(maxFileSize)) }
    try check("prctl", "no_new_privs") { km_no_new_privileges() }
    if support.landlockVersion > 0 { try confineFiles(support.landlockVersion) }
    guard support.filtersCalls else { return }
    try check("seccomp", "system calls") { km_filter_calls(allowsNetwork ? 1 : 0) }
  }

  private func confineFiles(_ version: Int) throws(PlatformError) {
    let rules = FileDescriptor(
      owning: try check("landlock_create_ruleset", "sandbox") {
        km_landlock_create(
          FileAccess.all(version).rawValue,
          version < 4 ? 0 : allowsNetwork ? tcpBind : tcpBind | tcpConnect,
          version >= 6 ? abstractSocketsAndSignals : 0)
      })
    for path in Self.systemPaths + (allowsNetwork ? Self.networkPaths : []) + readable {
      try allow(path, .read, rules, passingOver: [.notFound, .notDirectory, .accessDenied])
    }
    try allow("/dev/null", [.read, .writeFile], rules, passingOver: [.notFound])
    let change = FileAccess.change.intersection(.all(version))
    for path in writable { try allow(path, change, rules, passingOver: []) }
    try check("landlock_restrict_self", "sandbox") { km_landlock_restrict(rules.rawValue) }
  }

  private func allow(
    _ path: String, _ access: FileAccess, _ rules: borrowing FileDescriptor,
    passingOver codes: [ErrorCode]
  ) throws(PlatformError) {
    let number = rules.rawValue
    do throws(PlatformError) {
      try check("landlock_add_rule", path) {
        unsafe km_landlock_allow(number, path, access.rawValue)
      }
    } catch {
      guard codes.contains(error.code) else { throw error }
    }
  }
}

/// What this kernel can confine a process with.
public struct SandboxSupport: Sendable {
  /// The version of Landlock; 0 where there is none.
  public let landlockVersion: Int
  /// Whether system calls can be filtered.
  public let filtersCalls: Bool

  /// Describes a kernel.
  public init(landlockVersion: Int, filtersCalls: Bool) {
    self.landlockVersion = landlockVersion
    self.filtersCalls = filtersCalls
  }

  /// What the kernel that runs now can do.
  ///
  /// As without Landlock where the environment variable ``withoutLandlock`` is set.
  public static var current: SandboxSupport {
    let isOff = Environment.current[withoutLandlock]?.isEmpty == false
    return SandboxSupport(
      landlockVersion: isOff ? 0 : max(0, Int(km_landlock_version())),
      filtersCalls: km_can_filter_calls() == 1)
  }

  /// The name of the environment variable that has this kernel taken for one without Landlock: to try
  /// out what then happens, or where a file system does not get along with it.
  public static let withoutLandlock = "KEYMILL_NO_LANDLOCK"

  /// What is missing, in words; `nil` where nothing is.
  public var lack: String? {
    switch (landlockVersion > 0, filtersCalls) {
    case (true, true): nil
    case (false, true): "no Landlock: a job can read and write what this user can"
    case (true, false): "no seccomp filters: a job can reach the network and start programs"
    case (false, false): "neither Landlock nor seccomp filters: a job can do what this user can"
    }
  }
}

// landlock(7), <linux/landlock.h>: the numbers are the kernel's interface.

private let tcpBind: UInt64 = 1 << 0
private let tcpConnect: UInt64 = 1 << 1
private let abstractSocketsAndSignals: UInt64 = 0b11

private struct FileAccess: OptionSet {
  let rawValue: UInt64

  static let execute = FileAccess(rawValue: 1 << 0)
  static let writeFile = FileAccess(rawValue: 1 << 1)
  static let readFile = FileAccess(rawValue: 1 << 2)
  static let readDirectory = FileAccess(rawValue: 1 << 3)
  static let removeDirectory = FileAccess(rawValue: 1 << 4)
  static let removeFile = FileAccess(rawValue: 1 << 5)
  static let makeDirectory = FileAccess(rawValue: 1 << 7)
  static let makeFile = FileAccess(rawValue: 1 << 8)
  /// Moving between directories; version 2.
  static let refer = FileAccess(rawValue: 1 << 13)
  /// Version 3.
  static let truncate = FileAccess(rawValue: 1 << 14)

  static let read: FileAccess = [.readFile, .readDirectory]
  static let change: FileAccess = [
    .read, .writeFile, .removeDirectory, .removeFile, .makeDirectory, .makeFile, .refer, .truncate,
  ]

  /// All that a version knows of, up to version 5: what is not allowed is then forbidden.
  static func all(_ version: Int) -> FileAccess {
    let count =
      switch version {
      case 1: 13
      case 2: 14
      case 3, 4: 15
      default: 16
      }
    return FileAccess(rawValue: (1 << count) - 1)
  }
}

/// A resource that the kernel limits.
private enum Resource {
  /// The size of a core dump.
  case core
  /// Open descriptors.
  case descriptors
  /// Memory of its own: heap, stacks, and writable data of libraries.
  ///
  /// Not the address space, in which libraries and reserved room count for gigabytes.
  case data
  /// The size of a file that is written.
  case fileSize
}

private func limit(_ resource: Resource, to value: UInt) throws(PlatformError) {
  let number =
    switch resource {
    case .core: RLIMIT_CORE
    case .fileSize: RLIMIT_FSIZE
    case .descriptors: RLIMIT_NOFILE
    case .data: RLIMIT_DATA
    }
  var limits = rlimit()
  // Both calls use the structure only until they return.
  try check("getrlimit", "\(resource)") {
    unsafe getrlimit(__rlimit_resource_t(number.rawValue), &limits)
  }
  // Nobody but root may raise what is set already.
  limits.rlim_max = min(limits.rlim_max, value)
  limits.rlim_cur = limits.rlim_max
  try check("setrlimit", "\(resource)") {
    unsafe setrlimit(__rlimit_resource_t(number.rawValue), &limits)
  }
}
