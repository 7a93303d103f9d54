import FoundationEssentials
import Glibc
import Platform
import Synchronization

/// Where a command's words go: results to standard output, everything else to standard error.
enum Output {
  /// Prints a line of results.
  static func result(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  /// Prints a line for the person at the terminal; what a terminal would obey is shown as a code.
  static func message(_ line: String) { write(printable(line) + "\n", to: STDERR_FILENO) }

  /// Why results could not be printed; nil where they were, or where their reader went away.
  static var failure: PlatformError? { lost.withLock { $0 } }

  private static let lost = Mutex<PlatformError?>(nil)

  /// Text without control characters, for names that come from anywhere.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      guard scalar.properties.generalCategory == .control else {
        return result.unicodeScalars.append(scalar)
      }
      result += scalar == "\n" ? "\\n" : "\\x" + String(scalar.value, radix: 16)
    }
  }

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
    do throws(PlatformError) {
      try descriptor.writeAll(text)
    } catch {
      if number == STDOUT_FILENO && error.code != .brokenPipe { lost.withLock { $0 = error } }
    }
    _ = descriptor.release()
  }

  private static func encoder(pretty: Bool) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return encoder
  }
}
