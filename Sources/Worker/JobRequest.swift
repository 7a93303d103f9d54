/// What a supervisor asks of a job process; one JSON document on its standard input.
public struct JobRequest: Codable, Sendable {
  /// The job's id in the queue; 0 outside a queue.
  public var job: Int64
  /// The attempt's number, from 1.
  public var attempt: Int
  /// The input's path.
  public var input: String
  /// The URL that the input was downloaded from, without password; nil where it was not.
  ///
  /// The manifest and messages name it instead of the path.
  public var source: String?
  /// The recipe's canonical JSON.
  public var recipe: String
  /// The name the recipe goes by in messages.
  public var recipeName: String
  /// The directory to make and to write into; nothing else is written.
  public var staging: String
  /// What output files are named after: the input's name without its extension.
  public var stem: String
  /// How many threads the job may use, at least 1.
  public var threads: Int
  /// How much memory of its own the job may have, in bytes; nil for as much as there is.
  public var maxMemory: Int64?
  /// The most that one file it writes may hold, in bytes; nil for as much as there is room for.
  public var maxFileSize: Int64?
  /// What tells the queue from others; empty outside a queue.
  public var queue: String
  /// The output's place, if what lies there may be adopted, and other outputs that the supervisor names
  /// be linked, instead of making it; nil where it is to be made in any case.
  ///
  /// Who is asked so waits for a ``JobAnswer`` after it has ``JobReport/identified(_:)`` its input.
  public var adoptable: String?
  /// The supervisor's process id: when it is no longer the parent, the job process ends.
  public var supervisor: Int32

  /// A request with all its fields.
  public init(
    job: Int64, attempt: Int, input: String, source: String? = nil, recipe: String,
    recipeName: String, staging: String, stem: String, threads: Int, maxMemory: Int64? = nil,
    maxFileSize: Int64? = nil,
    queue: String = "", adoptable: String? = nil, supervisor: Int32
  ) {
    self.job = job
    self.attempt = attempt
    self.input = input
    self.source = source
    self.recipe = recipe
    self.recipeName = recipeName
    self.staging = staging
    self.stem = stem
    self.threads = threads
    self.maxMemory = maxMemory
    self.maxFileSize = maxFileSize
    self.queue = queue
    self.adoptable = adoptable
    self.supervisor = supervisor
  }
}

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

/// What a job has made.
public struct JobResult: Codable, Sendable, Equatable {
  /// A track made by `audio`, to be kept in the audio cache as well.
  public struct Track: Codable, Sendable, Equatable {
    /// The path inside the output directory.
    public var path: String
    /// The content's SHA-256 in hexadecimal.
    public var sha256: String
    /// The number among the audio tracks of the input, from 1; nil where it is not known.
    public var number: Int?

    /// A track at a path inside the output.
    public init(path: String, sha256: String, number: Int? = nil) {
      self.path = path
      self.sha256 = sha256
      self.number = number
    }
  }

  /// How good the mattes of keyed frames are: what a person wants to know of the manifest's `key.score`.
  public struct Score: Codable, Sendable, Equatable {
    /// `pass`, or `warn` where somebody should look at the frames.
    public var verdict: String
    /// How far the result over the screen is from the picture at edges, in 8-bit steps.
    public var residue: Double
    /// The same in the frame where it is greatest.
    public var worstResidue: Double
    /// That frame's number, from 1.
    public var worstFrame: Int
    /// The share of the opaque pixels whose colour is near the screen's, 0…1.
    public var nearKey: Double

    /// A score with all its fields.
    public init(
      verdict: String, residue: Double, worstResidue: Double, worstFrame: Int, nearKey: Double
    ) {
      self.verdict = verdict
      self.residue = residue
      self.worstResidue = worstResidue
      self.worstFrame = worstFrame
      self.nearKey = nearKey
    }
  }

  /// Where an output comes from that was not made now.
  public enum Reuse: Codable, Sendable, Equatable {
    /// It lay whole in its place, made of this very input.
    case inPlace
    /// It was linked from the output of this job.
    case linked(from: Int64)
  }

  /// Whether the input was damaged, so that not everything in it could be made.
  public var partial: Bool
  /// What the manifest warns of.
  public var warnings: [String]
  /// How many files lie in the output, the manifest not counted.
  public var files: Int
  /// Their size together, in bytes.
  public var bytes: Int
  /// How many frames were keyed; nil where none were asked for.
  public var frames: Int?
  /// How good their mattes are; nil where that is not known.
  public var score: Score?
  /// Where it comes from, where it was not made now.
  public var reuse: Reuse?
  /// The audio tracks among them that are copies of the input's.
  public var tracks: [Track]

  /// A result with all its fields.
  public init(
    partial: Bool, warnings: [String], files: Int, bytes: Int, frames: Int? = nil,
    score: Score? = nil, reuse: Reuse? = nil, tracks: [Track]
  ) {
    self.partial = partial
    self.warnings = warnings
    self.files = files
    self.bytes = bytes
    self.frames = frames
    self.score = score
    self.reuse = reuse
    self.tracks = tracks
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
