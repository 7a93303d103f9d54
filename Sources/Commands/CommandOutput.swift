import Glibc

/// Where a command tree's texts go.
public struct CommandOutput {
  /// What was asked for: help and the version.
  public let result: (String) -> Void
  /// What went wrong.
  public let message: (String) -> Void

  /// Sends the two elsewhere.
  public init(result: @escaping (String) -> Void, message: @escaping (String) -> Void) {
    self.result = result
    self.message = message
  }

  /// Standard output and standard error.
  public static var standard: CommandOutput {
    CommandOutput(
      result: { print($0, terminator: "") },
      message: { text in
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          // The kernel reads within the buffer only.
          let count = unsafe rest.withUnsafeBytes {
            unsafe write(STDERR_FILENO, $0.baseAddress, $0.count)
          }
          // A standard error that takes nothing leaves nobody to tell.
          guard count > 0 || errno == EINTR else { return }
          rest = rest.dropFirst(max(0, count))
        }
      })
  }
}
