import CLinux
import Glibc

/// The program that this process runs.
public enum Executable {
  /// A path that starts the very program that runs now, even when its file was replaced since.
  ///
  /// Resolved by the kernel in the process that opens it: for `ChildProcess`, not for messages.
  public static let itself = "/proc/self/exe"

  /// Where the program's file is; ends in ` (deleted)` when it was replaced.
  ///
  /// For messages.
  public static var path: String {
    get throws(PlatformError) { try Files.linkTarget(itself) }
  }
}

/// How many processors this process can really use.
public enum CoreCount {
  /// The processors it may run on, less where its control group's quota is smaller; at least 1.
  public static var available: Int {
    let usable = max(1, Int(km_usable_processors()))
    guard let text = try? Files.read("/sys/fs/cgroup/cpu.max"),
      let quota = cores(inQuota: String(decoding: text, as: UTF8.self))
    else { return usable }
    return min(usable, quota)
  }

  /// Whole cores, rounded up, in the text of a `cpu.max` file (`quota period`, or `max period`).
  static func cores(inQuota text: String) -> Int? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]),
      quota > 0, period > 0
    else { return nil }
    return (quota - 1) / period + 1
  }
}

/// What is known of a terminal.
public enum Terminal {
  /// Whether a descriptor is a terminal.
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// How many characters fit in a line of it, or `nil` when it is no terminal or does not know.
  public static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    // The call fills the structure and keeps no pointer to it.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
