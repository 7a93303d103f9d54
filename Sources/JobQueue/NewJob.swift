public import FoundationEssentials

/// A job to be submitted.
public struct NewJob: Hashable, Sendable {
  /// The path or address of what is made from.
  public var input: String
  /// The directory to publish.
  public var output: String
  /// What to make.
  public var recipe: JobRecipe
  /// The named queue to wait in.
  public var queue = "default"
  /// Higher goes first.
  public var priority = 0
  /// Not before this time.
  public var due: Date?
  /// Not before these jobs have ended.
  public var after: [Job.ID] = []
  /// Whether it also runs when one of them has not ended well.
  public var runsAfterAny = false
  /// Whether to give the job that waits or runs with the same input and recipe instead, if one does.
  public var isUnique = false
  /// The name of the jobs submitted together.
  public var batch: String?
  /// How long an attempt may take.
  public var timeout: Duration?
  /// Whether its output is to be made anew, though the same was made before.
  public var isForced = false
  /// How many failures end it.
  public var maxAttempts = 5

  /// Makes a job with the usual settings.
  public init(input: String, output: String, recipe: JobRecipe) {
    self.input = input
    self.output = output
    self.recipe = recipe
  }
}

/// What became of a job that was submitted.
public struct Submission: Hashable, Sendable {
  /// The new job, or the one that stands for it.
  public let job: Job
  /// False when a job of the same request or uniqueness was there already.
  public let isNew: Bool
  /// Whether the job of an earlier request has ended and was removed since; all that is left of it is
  /// its number and the state it ended in.
  public let isPruned: Bool

  init(job: Job, isNew: Bool, isPruned: Bool = false) {
    self.job = job
    self.isNew = isNew
    self.isPruned = isPruned
  }
}
