/// Cuts what comes over a pipe in pieces into lines.
struct LineBuffer {
  private var rest: [UInt8] = []

  /// A job process that sends no line break is broken; what it sends is not kept for ever.
  private static let longestLine = 1 << 20

  /// Adds a piece and gives the lines it completes, without their line breaks.
  mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
    rest += bytes
    var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let last = lines.removeLast()
    rest = last.count > Self.longestLine ? [] : Array(last)
    return lines.filter { !$0.isEmpty }.map(Array.init)
  }
}

/// The last part of what a job process wrote to its standard error.
struct LogTail {
  /// How much is kept with an attempt.
  static let limit = 64 << 10

  private var bytes: [UInt8] = []

  /// Adds what was written.
  mutating func append(_ more: [UInt8]) {
    bytes += more
    // Twice the limit before anything is cut: a chatty decoder must not cost a copy a line.
    if bytes.count > 2 * Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
  }

  /// The text; nil where nothing was written.
  var text: String? {
    bytes.isEmpty ? nil : String(decoding: bytes.suffix(Self.limit), as: UTF8.self)
  }
}
