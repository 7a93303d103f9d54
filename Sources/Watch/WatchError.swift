internal import Platform

/// Why a directory cannot be watched, or can no longer, in words for people.
public struct WatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public let code: Code
  /// What is wrong, where, and what to do about it.
  public let description: String
}

extension WatchError {
  /// A kind of error that callers tell apart.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Makes the code with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such directory.
    public static let missing = Code(rawValue: "missing")
    /// The path is something else than a directory.
    public static let notADirectory = Code(rawValue: "not-a-directory")
    /// The directory may not be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The directory was removed, moved away or replaced while it was watched.
    public static let gone = Code(rawValue: "gone")
    /// The user watches as much as the kernel allows.
    public static let limit = Code(rawValue: "limit")
    /// The operating system failed.
    public static let io = Code(rawValue: "io")

    /// Matches an error by its code, so that `catch` can name it.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? WatchError)?.code == code
    }
  }
}

extension WatchError {
  /// What a watcher says when its directory is no longer there.
  static func gone(_ directory: String) -> WatchError {
    WatchError(
      code: .gone,
      description: "\(directory): the watched directory was removed, moved or replaced; "
        + "what was complete before is in the queue")
  }

  /// Words an error of the operating system for the directory that is to be watched.
  init(_ error: PlatformError, directory: String) {
    switch error.code {
    case .notFound:
      self.init(code: .missing, description: "\(directory): no such directory")
    case .notDirectory:
      self.init(code: .notADirectory, description: "\(directory): not a directory")
    case .accessDenied:
      self.init(code: .unreadable, description: "\(directory): may not be read (\(error.code))")
    case .noSpace where error.call == "inotify_add_watch":
      self.init(
        code: .limit,
        description: "\(directory): too many directories are watched; "
          + "raise the limit with `sysctl fs.inotify.max_user_watches`")
    case .tooManyOpen where error.call == "inotify_init1":
      self.init(
        code: .limit,
        description: "\(directory): too many programs watch directories; "
          + "raise the limit with `sysctl fs.inotify.max_user_instances`")
    default:
      self.init(code: .io, description: "\(directory): cannot be watched: \(error)")
    }
  }
}
