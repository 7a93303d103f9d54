import CLinux
import Glibc

/// The machine that this process runs on.
public enum Host {
  /// Its name, as the network knows it.
  ///
  /// Wraps `gethostname`.
  public static var name: String {
    var text = [CChar](repeating: 0, count: 256)
    // Writes at most `count` bytes; the last one stays zero.
    guard unsafe gethostname(&text, text.count - 1) == 0 else { return "localhost" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// How many descriptors this process may have open at once.
  ///
  /// Wraps `getrlimit`.
  public static var descriptorLimit: Int {
    var limits = rlimit()
    // The call fills the structure and keeps no pointer to it; it cannot fail with a valid resource.
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return Int(clamping: limits.rlim_cur)
  }

  /// Lets this process have as many descriptors open as it may at most; children get the same.
  ///
  /// Wraps `setrlimit`.
  public static func raiseDescriptorLimit() {
    var limits = rlimit()
    // Both calls use the structure only until they return; where they fail, the old limit stays.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else {
      return
    }
    limits.rlim_cur = limits.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
  }

  /// Makes this process smaller by what only starting it has read of the program and its libraries.
  ///
  /// That are their symbols, relocations and set-up. What is needed again comes from the page cache, for
  /// a microsecond each 64 KiB.
  public static func giveBackLoadedPages() { km_give_back_loaded_pages() }

  /// The memory that processes here can use, in bytes: the machine's, or what the control group is
  /// allowed where that is less.
  public static var memory: Int64 {
    let machine = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    guard let text = try? Files.read("/sys/fs/cgroup/memory.max"),
      let limit = Int64(String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace })
    else { return machine }
    return min(machine, limit)
  }
}
