public import FoundationEssentials
public import Recipes

/// One input and one recipe on their way through the queue, as read at one moment.
public struct Job: Identifiable, Hashable, Sendable {
  /// Numbers jobs in the order of their submission; never given twice.
  public typealias ID = Int64

  /// The job's number.
  public var id: ID
  /// Where the job stands.
  public var state: JobState
  /// The named queue it waits in.
  public var queue: String
  /// Higher goes first.
  public var priority: Int
  /// The path or URL of what is made from; a URL may have a password in it (see `InputName.shown`).
  public var input: String
  /// The directory that is published.
  public var output: String
  /// What to make.
  public var recipe: JobRecipe
  /// The name of the jobs submitted together.
  public var batch: String?
  /// The number of the latest attempt, the fencing token; 0 before the first.
  public var attempt: Int
  /// How many attempts failed since it was submitted or retried.
  public var failures: Int
  /// How many attempts crashed since then.
  public var crashes: Int
  /// How many failures end it.
  public var maxAttempts: Int
  /// How far it has come.
  public var progress: Progress
  /// What went wrong last.
  public var error: String?
  /// Whether it completed from a damaged input.
  public var isPartial: Bool
  /// How many warnings its result lists.
  public var warnings: Int
  /// How long an attempt may take.
  public var timeout: Duration?
  /// When it was submitted.
  public var createdAt: Date
  /// When it is due, while it is scheduled or was submitted for a time.
  public var scheduledAt: Date?
  /// When its latest attempt began.
  public var startedAt: Date?
  /// When it reached a final state.
  public var finishedAt: Date?
  /// Whether the running attempt is to be ended.
  public var cancelRequested: Bool
  /// Whether its output is to be made anew, though the same was made before.
  public var isForced: Bool
  /// The job whose output it was given, where that was the same and not made again.
  public var reusedFrom: ID?
  /// The right to run it, while it is running.
  public var lease: Lease?
  /// The process id of the supervisor that holds the lease.
  public var ownerPID: Int32?
}

extension Job {
  /// The input as people name it.
  public var inputName: InputName { InputName(input) }
}

/// A recipe as the queue keeps it: text it does not look into.
public struct JobRecipe: Hashable, Sendable {
  /// What people call it.
  public var name: String
  /// Identifies the document.
  public var digest: String
  /// The document in its canonical form.
  public var canonicalJSON: String

  /// Makes a recipe of its parts.
  public init(name: String, digest: String, canonicalJSON: String) {
    self.name = name
    self.digest = digest
    self.canonicalJSON = canonicalJSON
  }
}

/// The right to run one attempt of one job, which every change to it has to show.
public struct Lease: Hashable, Sendable {
  /// The job.
  public let jobID: Job.ID
  /// The attempt's number, which grows with each claim.
  public let attempt: Int
  /// The row of the supervisor that holds it.
  let worker: Int64
}

/// How far an attempt has come.
public struct Progress: Hashable, Sendable {
  /// The part that is done, 0…1.
  public var fraction: Double
  /// What is being done.
  public var stage: String?
  /// Frames done so far.
  public var frames: Int?
  /// Frames a second.
  public var fps: Double?
  /// The time that is left.
  public var remaining: Duration?

  /// Makes a progress of its parts.
  public init(
    fraction: Double, stage: String? = nil, frames: Int? = nil, fps: Double? = nil,
    remaining: Duration? = nil
  ) {
    self.fraction = fraction
    self.stage = stage
    self.frames = frames
    self.fps = fps
    self.remaining = remaining
  }
}
