import AudioCache
import Commands
import FFmpeg
import Fetch
import JobQueue
import Media
import Platform
import Recipes
import Watch
import Worker

/// What an error tells the user, and the exit code it ends a command with (design §6).
struct ErrorReport {
  /// What is wrong, where, and what to do, on one line.
  let message: String
  /// The exit code.
  let exitCode: ExitCode

  /// Words an error of any module.
  init(_ error: any Error) {
    message = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    exitCode =
      switch error {
      case let error as MediaError: Self.code(of: error.kind)
      case let error as RecipeError: error.kind == .unreadable ? .noInput : .badData
      case let error as QueueError: Self.code(of: error.code)
      case let error as AudioStoreError: Self.code(of: error)
      case let error as FetchError: Self.code(of: error.code)
      case is DownloadCancelled: .tryAgain
      case let error as PlatformError: error.isNotFound ? .noInput : .io
      case let error as FFmpegError: error.code == .fileNotFound ? .noInput : .badData
      case is OutputError, is TargetError: .io
      case is SandboxError: .failure
      case let error as WatchError: error.code == .missing ? .noInput : .io
      case let error as InputError: error.exitCode
      case let error as JobFailure: ExitCode(rawValue: error.exitCode)
      default: .defect
      }
  }

  private static func code(of kind: MediaError.Kind) -> ExitCode {
    switch kind {
    case .input: .badData
    case .noInput: .noInput
    case .io, .noAccess, .noSpace, .noMemory, .tooLarge: .io
    case .cancelled: .tryAgain
    case .defect: .defect
    }
  }

  private static func code(of error: AudioStoreError) -> ExitCode {
    switch error {
    // A directory that cannot be made, or is none, is no input.
    case .system(let error): error.code == .notFound && error.call != "mkdir" ? .noInput : .io
    case .notAFile: .noInput
    case .wrongContent, .badExtension: .badData
    case .index(let error): error.kind == .busy ? .tryAgain : .io
    case .readOnly: .io
    case .inUse, .claimLost, .stillWritten, .downloadFailed, .downloadRestarted: .tryAgain
    }
  }

  private static func code(of code: FetchError.Code) -> ExitCode {
    switch code {
    case .badURL, .privateAddress, .redirects, .certificate, .tooLarge, .badAnswer: .badData
    case .refused: .noInput
    case .unavailable, .name, .connection, .cut, .stalled, .timedOut, .busy: .tryAgain
    case .file, .noSpace: .io
    case .process: .defect
    }
  }

  private static func code(of code: QueueError.Code) -> ExitCode {
    switch code {
    case .busy: .tryAgain
    case .missing, .noSuchJob, .noSuchSchedule: .noInput
    case .notAllowed: .failure
    default: .io
    }
  }
}

extension JobFailure {
  /// How a job process reports an error to its supervisor; `request` says what it may take.
  init(_ error: any Error, _ request: JobRequest? = nil) {
    let report = ErrorReport(error)
    var kind = Self.kind(of: error)
    // Where no limit of ours was reached the machine had no more, and may have again.
    if kind == .overMemory && request?.maxMemory == nil { kind = .transient }
    var message = report.message
    if kind == .overMemory, let limit = request?.maxMemory {
      message += " (--max-memory allows a job \(ByteCount.text(Int(limit))))"
    }
    if case let error as MediaError = error, error.kind == .tooLarge,
      let limit = request?.maxFileSize
    {
      message += " (--max-file allows \(ByteCount.text(Int(limit))))"
    }
    self.init(kind: kind, message: message, exitCode: report.exitCode.rawValue)
  }

  private static func kind(of error: any Error) -> Kind {
    switch error {
    case let error as MediaError:
      switch error.kind {
      case .input: .permanent
      // A file that is gone stays gone; a whole directory may be a share that comes back.
      case .noInput:
        (try? FileStatus(Files.parent(of: error.subject))) == nil ? .transient : .permanent
      case .noSpace: .noSpace
      case .tooLarge: .permanent
      case .noMemory: .overMemory
      case .io, .noAccess, .cancelled, .defect: .transient
      }
    case is RecipeError: .permanent
    case let error as PlatformError: error.isNoSpace ? .noSpace : .transient
    default: .transient
    }
  }
}
