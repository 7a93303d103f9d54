/// What a job process says; JSON lines on its report pipe, ending with `made` or `failed`, and `used`.
public enum JobReport: Codable, Sendable {
  /// Which bytes it is to be made of, and by what; the first report of a job in a queue.
  case identified(JobIdentity)
  /// How far it is.
  case progress(JobProgress)
  /// Everything the recipe asks for lies in the staging directory, read back and synced; or in the
  /// output's place already, where the result says so.
  case made(JobResult)
  /// It could not be made.
  case failed(JobFailure)
  /// What it took.
  case used(JobUse)
}

/// What a supervisor says to a job process that has identified its input; one line of JSON on the
/// process's descriptor ``descriptor``.
public struct JobAnswer: Codable, Sendable, Equatable {
  /// An output that was made earlier of the same bytes by the same recipe and engine.
  public struct Memo: Codable, Sendable, Equatable {
    /// The job that made it.
    public var job: Int64
    /// Its directory.
    public var output: String

    /// A memo of its parts.
    public init(job: Int64, output: String) {
      self.job = job
      self.output = output
    }
  }

  /// The number of the descriptor at which a job process finds the answer.
  public static let descriptor: Int32 = 3

  /// What may be taken, the best first, if it is still whole.
  public var memos: [Memo]

  /// An answer of its parts.
  public init(memos: [Memo]) { self.memos = memos }
}

/// What an output depends on, apart from the recipe.
public struct JobIdentity: Codable, Sendable, Equatable {
  /// The SHA-256 of the input's bytes in hexadecimal.
  public var sha256: String
  /// The engine that makes it, with all versions that matter.
  public var engine: String

  /// An identity of its parts.
  public init(sha256: String, engine: String) {
    self.sha256 = sha256
    self.engine = engine
  }
}

/// What a job process took that its parent cannot measure.
public struct JobUse: Codable, Sendable, Equatable {
  /// The most memory it had at once, in bytes.
  ///
  /// To a parent Linux shows a figure that may be another process's: that of the one which started it.
  public var peakMemory: Int64

  /// A use with all its figures.
  public init(peakMemory: Int64) { self.peakMemory = peakMemory }
}

/// How far a job is, as stored in the queue and drawn on a terminal.
public struct JobProgress: Codable, Sendable, Equatable {
  /// What is being made now, in a word.
  public var stage: String
  /// The share done, 0…1; nil where the input does not tell its length.
  public var fraction: Double?
  /// Frames decoded so far.
  public var frames: Int
  /// Frames a second.
  public var fps: Double
  /// Seconds left; nil while it cannot be told.
  public var eta: Double?

  /// A report with all its fields.
  public init(stage: String, fraction: Double?, frames: Int, fps: Double, eta: Double?) {
    self.stage = stage
    self.fraction = fraction
    self.frames = frames
    self.fps = fps
    self.eta = eta
  }
}

/// Why a job could not be made.
public struct JobFailure: Error, Codable, Sendable, Equatable {
  /// Whether and how the queue tries again.
  public enum Kind: String, Codable, Sendable {
    /// Trying again changes nothing: the input or the recipe is at fault.
    case permanent
    /// It may pass: tried again after a while.
    case transient
    /// It reached a limit on memory: counts as a crash does.
    case overMemory
    /// The disk is full: waits without losing an attempt.
    case noSpace
  }

  /// Whether and how the queue tries again.
  public var kind: Kind
  /// What is wrong, where, and what to do, on one line.
  public var message: String
  /// The exit code that `keymill run` ends with.
  public var exitCode: Int32

  /// A failure with its message.
  public init(kind: Kind, message: String, exitCode: Int32) {
    self.kind = kind
    self.message = message
    self.exitCode = exitCode
  }
}
