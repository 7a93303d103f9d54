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
}
