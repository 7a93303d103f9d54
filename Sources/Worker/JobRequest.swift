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
    maxFileSize: Int64? = nil, queue: String = "", adoptable: String? = nil, supervisor: Int32
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
