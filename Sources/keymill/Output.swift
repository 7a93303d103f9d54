import FoundationEssentials
import Glibc
import Platform

/// Where a command's words go: results to standard output, everything else to standard error.
enum Output {
  /// Prints a line of results.
  static func result(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  /// Prints a line for the person at the terminal.
  static func message(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

  /// Prints a value as one JSON document.
  static func json(_ value: some Encodable) throws {
    result(String(decoding: try encoder(pretty: true).encode(value), as: UTF8.self))
  }

  /// Prints a value as one line of JSON, for streams.
  static func jsonLine(_ value: some Encodable) throws {
    result(String(decoding: try encoder(pretty: false).encode(value), as: UTF8.self))
  }

  /// Writes text as it is; a reader that went away ends nothing.
  static func write(_ text: String, to number: Int32) {
    // Borrowed: the standard descriptors are nobody's to close.
    let descriptor = FileDescriptor(owning: number)
    try? descriptor.writeAll(text)
    _ = descriptor.release()
  }

  private static func encoder(pretty: Bool) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return encoder
  }
}
