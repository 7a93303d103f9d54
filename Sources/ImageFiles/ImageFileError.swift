/// Why a picture file could not be written, read or accepted.
public struct ImageFileError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, Hashable, Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// The bytes are not a picture of the expected form.
    case malformed
    /// A checksum does not match.
    case corrupt
    /// A valid picture of a form that is not handled.
    case unsupported
    /// A compressor refused its input or ran out of memory.
    case encoderFailed
  }

  /// The kind of failure.
  public let code: Code
  /// What exactly is wrong.
  public let reason: String
  /// The file, where there is one.
  public let path: String?

  /// Makes an error.
  public init(_ code: Code, _ reason: String, path: String? = nil) {
    self.code = code
    self.reason = reason
    self.path = path
  }
}

extension ImageFileError: CustomStringConvertible {
  /// The error in one line, the file first.
  public var description: String {
    path.map { "\($0): \(reason)" } ?? reason
  }
}
