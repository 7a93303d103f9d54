import Commands

/// A size in bytes, as an argument: `512M`, `1.5G`, `2GiB`.
struct ByteSize: ExpressibleByArgument {
  /// How many bytes.
  let bytes: Int64

  /// Reads a number with a unit by powers of 1000 (`k`, `M`, `G`, `T`) or of 1024 (`Ki` and so on), a
  /// `B` behind it or not; a number alone is bytes.
  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    var unit = argument[digits.endIndex...].lowercased()
    if unit.last == "b" { unit.removeLast() }
    let base = unit.last == "i" ? 1024.0 : 1000.0
    if unit.last == "i" { unit.removeLast() }
    guard let power = ["", "k", "m", "g", "t"].firstIndex(of: unit), let number = Double(digits)
    else { return nil }
    let size = (0..<power).reduce(number) { size, _ in size * base }
    // Far beyond any machine, and well within 64 bits.
    guard size >= 1 || number == 0, size < 1e18 else { return nil }
    bytes = Int64(size)
  }

  static var expectation: String { "a size like 512M or 2G" }
}
