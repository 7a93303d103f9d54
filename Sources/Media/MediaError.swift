import FFmpeg
import Platform

/// Why a recipe could not be carried out on an input, worded for the person who asked for it.
public struct MediaError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure this is; it decides the exit code and whether another try makes sense.
  public enum Kind: String, Sendable {
    /// The input is not media, or lacks what the recipe needs. Trying again changes nothing.
    case input
    /// There is no such input, or it cannot be read by this user.
    case noInput
    /// Reading or writing failed in a way that may pass.
    case io
    /// This user may not write where the output is to go.
    case noAccess
    /// The output's file system is full.
    case noSpace
    /// It would take more memory than this process may have.
    case noMemory
    /// It would take a larger file than this process may write. Trying again changes nothing.
    case tooLarge
    /// Whoever asked for it does not want it any more.
    case cancelled
    /// keymill made something that does not read back as it should.
    case defect
  }

  /// The kind of failure.
  public let kind: Kind

  /// The file it is about: an input's or output's path as the user gave it.
  public let subject: String

  /// What is wrong and what to do, without the subject.
  public let message: String

  /// An error about one file.
  public init(_ kind: Kind, _ subject: String, _ message: String) {
    self.kind = kind
    self.subject = subject
    self.message = message
  }

  /// Subject and message on one line, as the command line prints them.
  public var description: String { "\(subject): \(message)" }
}

extension MediaError {
  /// What a failed system call means for the job.
  init(_ error: PlatformError) {
    switch error.code {
    // Files are read and written waiting; what cannot be had at once is a thread's stack.
    case .outOfMemory, .wouldBlock:
      self.init(.noMemory, error.subject, "there is not enough memory (\(error.call))")
    case .fileTooLarge: self.init(.tooLarge, error.subject, "would be larger than a file may be")
    default:
      let kind: Kind = error.isNoSpace ? .noSpace : error.isPermission ? .noAccess : .io
      self.init(kind, error.subject, "\(error.code)")
    }
  }

  /// What a failed system call on an open file means for the job; its path helps, its number does not.
  init(_ error: PlatformError, about file: String) {
    self.init(MediaError(error).kind, file, "\(error.code)")
  }

  /// What a failed call into FFmpeg means for the job.
  init(_ error: FFmpegError, input: String) {
    switch error.code {
    case .fileNotFound: self.init(.noInput, input, "no such file")
    case .permissionDenied: self.init(.noInput, input, "permission denied")
    case .isDirectory: self.init(.input, input, "is a directory; name the files in it")
    case .emptyFile: self.init(.input, input, "the file is empty")
    case .notRegularFile: self.init(.input, input, "is not a regular file")
    case .invalidData, .streamNotFound, .demuxerNotFound:
      self.init(.input, input, "is not media that FFmpeg can read (\(error.reason))")
    case .unsupported, .notImplemented:
      self.init(
        .input, input,
        "is of a kind that this FFmpeg cannot read yet, such as xHE-AAC; convert it first")
    case .noSpace: self.init(.noSpace, error.subject, "no space left on device")
    case .outOfMemory: self.init(.noMemory, input, "there is not enough memory for it")
    case .io, .tooManyOpen:
      self.init(.io, input, "cannot be read: \(error.reason)")
    default: self.init(.input, input, error.reason)
    }
  }
}
