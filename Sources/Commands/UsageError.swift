/// A command line that makes no sense.
///
/// Exits with 64 (EX_USAGE of sysexits).
public struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, in a line without a full stop.
  public let message: String
  /// What was probably meant.
  public let suggestion: String?
  /// The one-line usage of the command that it was said to; the parser fills it in.
  public internal(set) var usage: String?

  /// Says what is wrong, and what was probably meant.
  public init(_ message: String, suggestion: String? = nil) {
    self.message = message
    self.suggestion = suggestion
  }

  /// Says that a word is none of those known, and names the nearest one.
  public init(unknown kind: String, _ word: String, among known: [String]) {
    self.init(
      "unknown \(kind) '\(word)'", suggestion: Suggestion.nearest(to: word, among: known))
  }

  func with(usage: String) -> UsageError {
    var error = self
    error.usage = error.usage ?? usage
    return error
  }
}

extension UsageError: CustomStringConvertible {
  /// The message, the suggestion and the usage, a line each.
  public var description: String {
    var lines = [message]
    if let suggestion { lines.append("Did you mean '\(suggestion)'?") }
    if let usage { lines.append("Usage: \(usage)") }
    return lines.joined(separator: "\n")
  }
}

/// How a command ends when it has said all there is to say.
///
/// Thrown from `run()`.
public struct ExitCode: Error, RawRepresentable, Hashable, Sendable {
  /// What the shell sees.
  public let rawValue: Int32

  /// Takes any code.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
  public static let success = ExitCode(rawValue: 0)
  /// A job failed.
  public static let failure = ExitCode(rawValue: 1)
  /// The command line makes no sense (EX_USAGE).
  public static let usage = ExitCode(rawValue: 64)
  /// The recipe or the input is bad (EX_DATAERR).
  public static let badData = ExitCode(rawValue: 65)
  /// There is no such input (EX_NOINPUT).
  public static let noInput = ExitCode(rawValue: 66)
  /// A defect of ours (EX_SOFTWARE).
  public static let defect = ExitCode(rawValue: 70)
  /// Reading or writing failed (EX_IOERR).
  public static let io = ExitCode(rawValue: 74)
  /// It may work later (EX_TEMPFAIL).
  public static let tryAgain = ExitCode(rawValue: 75)
}
