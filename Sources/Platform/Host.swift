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
