import CLinux
import Glibc

/// A system call that failed: which one, on what, and why.
public struct PlatformError: Error, Hashable, Sendable {
  /// The kernel's reason.
  public let code: ErrorCode
  /// The C function that failed, such as `renameat2`.
  public let call: String
  /// What it was done to: mostly a path.
  public let subject: String

  /// Makes an error, for a condition that this module finds itself.
  public init(code: ErrorCode, call: String, subject: String) {
    self.code = code
    self.call = call
    self.subject = subject
  }

  /// Whether room is missing: on the disk or in the user's quota.
  ///
  /// Waiting helps, trying does not.
  public var isNoSpace: Bool { code == .noSpace || code == .quotaExceeded }
  /// Whether the machine or this process had too little of something else: descriptors, processes,
  /// memory.
  ///
  /// Waiting helps, trying does not.
  public var isShortage: Bool {
    [.tooManyOpen, .tableFull, .wouldBlock, .outOfMemory].contains(code)
  }
  /// Whether the file, or a directory on the way to it, is not there.
  public var isNotFound: Bool { code == .notFound || code == .notDirectory }
  /// Whether this user may not do it.
  public var isPermission: Bool {
    code == .accessDenied || code == .notPermitted || code == .readOnlyFileSystem
  }
}

extension PlatformError: CustomStringConvertible {
  /// The subject, the kernel's words, and the call in brackets.
  public var description: String { "\(subject): \(code) (\(call))" }
}

/// An errno value.
///
/// Unknown values are kept as they are.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number that the kernel gave.
  public let rawValue: Int32

  /// Takes any errno value.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Operation not permitted.
  public static let notPermitted = ErrorCode(rawValue: EPERM)
  /// No such file or directory.
  public static let notFound = ErrorCode(rawValue: ENOENT)
  /// No such process.
  public static let noSuchProcess = ErrorCode(rawValue: ESRCH)
  /// Interrupted by a signal.
  public static let interrupted = ErrorCode(rawValue: EINTR)
  /// Input or output error.
  public static let io = ErrorCode(rawValue: EIO)
  /// No process listens at the other side of a FIFO.
  public static let noListener = ErrorCode(rawValue: ENXIO)
  /// Nothing to read, or no room to write, right now.
  public static let wouldBlock = ErrorCode(rawValue: EAGAIN)
  /// Permission denied.
  public static let accessDenied = ErrorCode(rawValue: EACCES)
  /// The name is taken.
  public static let exists = ErrorCode(rawValue: EEXIST)
  /// The two names are on different file systems.
  public static let crossDevice = ErrorCode(rawValue: EXDEV)
  /// A directory was needed.
  public static let notDirectory = ErrorCode(rawValue: ENOTDIR)
  /// A directory is no file.
  public static let isDirectory = ErrorCode(rawValue: EISDIR)
  /// The arguments mean nothing to this file system or kernel.
  public static let invalid = ErrorCode(rawValue: EINVAL)
  /// This process has too many descriptors open.
  public static let tooManyOpen = ErrorCode(rawValue: EMFILE)
  /// Too many descriptors are open on the machine.
  public static let tableFull = ErrorCode(rawValue: ENFILE)
  /// Not enough memory.
  public static let outOfMemory = ErrorCode(rawValue: ENOMEM)
  /// The file would be larger than it may.
  public static let fileTooLarge = ErrorCode(rawValue: EFBIG)
  /// No space is left on the device.
  public static let noSpace = ErrorCode(rawValue: ENOSPC)
  /// The file system is mounted for reading only.
  public static let readOnlyFileSystem = ErrorCode(rawValue: EROFS)
  /// The file has as many names as it can have.
  public static let tooManyLinks = ErrorCode(rawValue: EMLINK)
  /// Nobody reads the other end of the pipe.
  public static let brokenPipe = ErrorCode(rawValue: EPIPE)
  /// The other end died with something unread.
  public static let connectionReset = ErrorCode(rawValue: ECONNRESET)
  /// The name is longer than the file system allows.
  public static let nameTooLong = ErrorCode(rawValue: ENAMETOOLONG)
  /// The kernel does not have this call.
  public static let notImplemented = ErrorCode(rawValue: ENOSYS)
  /// The directory is not empty.
  public static let notEmpty = ErrorCode(rawValue: ENOTEMPTY)
  /// A symbolic link where none is followed, or a circle of them.
  public static let symbolicLink = ErrorCode(rawValue: ELOOP)
  /// The file system does not do this.
  public static let notSupported = ErrorCode(rawValue: EOPNOTSUPP)
  /// The user's quota is used up.
  public static let quotaExceeded = ErrorCode(rawValue: EDQUOT)

  /// Lets `catch` and `switch` match an error's code.
  public static func ~= (pattern: ErrorCode, error: any Error) -> Bool {
    (error as? PlatformError)?.code == pattern
  }

  /// The C library's words for the value.
  public var description: String {
    // The text is static, so the pointer outlives the copy made of it here.
    guard let text = unsafe km_error_text(rawValue) else { return "error \(rawValue)" }
    return unsafe String(cString: text)
  }
}

/// Runs a C call that answers -1 for failure, again while a signal interrupts it.
@discardableResult
func check<R: SignedInteger>(
  _ call: String, _ subject: @autoclosure () -> String, _ body: () -> R
) throws(PlatformError) -> R {
  while true {
    let result = body()
    guard result == -1 else { return result }
    let code = ErrorCode(rawValue: errno)
    guard code != .interrupted else { continue }
    throw PlatformError(code: code, call: call, subject: subject())
  }
}
