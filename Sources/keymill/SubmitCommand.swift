import Commands
import Digests
import FoundationEssentials
import JobQueue
import Platform
import Recipes
import Worker

/// `keymill submit`: puts jobs into the queue.
struct SubmitCommand: Command {
  static let name = "submit"
  static let summary = "Put jobs into the queue"
  static let discussion = """
    One job for each input; all of them come into the queue, or none. Prints the jobs' numbers. \
    What was accepted survives a loss of power.
    """
  static let examples = [
    Example("keymill submit jobs/sprite.json *.mp4", "a job for each clip"),
    Example("keymill submit jobs/audio.json a.mp3 --wait", "and wait until it is done"),
    Example("keymill submit r.json a.mp4 --in 10m --priority 5", "not before ten minutes"),
    Example("keymill submit r.json https://example.org/a.mp3", "the pool downloads it, once"),
  ]

  @Argument(help: "The recipe: a JSON file, or the name of an installed one.")
  var recipe: String
  @Argument(help: "The media files, or http and https URLs of them.", valueName: "input")
  var inputs: [String]
  @Option(name: .shortAndLong, help: "Where output directories go.", valueName: "dir")
  var output = "out"
  @OptionGroup var queueOptions: QueueOptions
  @Option(help: "The named queue to wait in.", valueName: "name")
  var queue = "default"
  @Option(help: "Higher goes first.", valueName: "n")
  var priority = 0
  @Option(name: .customLong("in"), help: "Not before so long from now.", valueName: "time")
  var delay: Duration?
  @Option(help: "Not before this time (RFC 3339).", valueName: "time")
  var at: Date?
  @Option(help: "Not before this job has ended well.", valueName: "id")
  var after: [Int] = []
  @Flag(help: "With --after: also when that job has not ended well.")
  var afterAny: Bool
  @Flag(help: "Give the waiting or running job of the same input and recipe, if there is one.")
  var unique: Bool
  @Flag(help: "Make the output anew, even where the same was made before and is whole.")
  var force: Bool
  @Option(help: "A name for the jobs submitted together.", valueName: "name")
  var batch: String?
  @Option(help: "How long an attempt may take.", valueName: "time")
  var timeout: Duration?
  @Option(help: "How many failures end a job.", valueName: "n")
  var maxAttempts = 5
  @Option(
    name: .customLong("request-id"),
    help: "A name for this call: a second one of the same name adds nothing.", valueName: "name")
  var requestID: String?
  @Flag(help: "Follow the jobs to their end; exit 1 if one fails.")
  var wait: Bool
  @Flag(help: "Print the jobs as JSON.")
  var json: Bool

  func validate() throws {
    if delay != nil && at != nil { throw UsageError("--in and --at exclude each other") }
    if let timeout, timeout <= .zero { throw UsageError("--timeout must be more than 0") }
    if queue.isEmpty || queue.contains(where: \.isNewline) {
      throw UsageError("--queue needs a name, on one line")
    }
    if requestID == "" { throw UsageError("--request-id needs a name") }
    if maxAttempts < 1 { throw UsageError("--max-attempts must be at least 1") }
    if afterAny && after.isEmpty { throw UsageError("--after-any needs --after") }
  }

  func run() throws {
    let recipe = try LoadedRecipe(recipe)
    let paths = try inputs.map { try Inputs.check($0) }
    let store = try queueOptions.open(.client)
    let factory = JobFactory(recipe)
    let directory = try Files.absolutePath(output)
    let now = Date()
    let jobs = paths.map { newJob($0, factory, now: now) }
    let submissions = try store.submit(jobs, under: directory, requestID: requestID, now: now) {
      claimed in
      var place = try OutputPlace(directory, claimed: claimed)
      return try paths.map { try place.path(for: $0) }
    }
    queueOptions.ring(store)
    guard !wait else {
      return try JobFollower(store).follow(submissions.map(\.job.id), json: json)
    }
    if json {
      try Output.json(JobList(jobs: submissions.map { JobJSON($0.job) }))
    } else {
      // In one piece: a write for each of 10,000 takes as long as to submit them.
      Output.result(submissions.map { "\($0.job.id)" }.joined(separator: "\n"))
    }
  }

  private func newJob(
    _ path: String, _ factory: JobFactory, now: Date
  ) -> NewJob {
    // Its output is chosen as it is submitted.
    var job = factory.job(input: path, output: "")
    job.queue = queue
    job.priority = priority
    job.due = at ?? delay.map { now.addingTimeInterval($0 / .seconds(1)) }
    job.after = after.map(Int64.init)
    job.runsAfterAny = afterAny
    job.isUnique = unique
    job.isForced = force
    job.batch = batch
    job.timeout = timeout
    job.maxAttempts = maxAttempts
    return job
  }
}

/// What `submit`, `list` and others print.
struct JobList: Encodable {
  let jobs: [JobJSON]
}

/// Makes jobs of one recipe.
struct JobFactory {
  private let recipe: JobRecipe

  /// Jobs that carry a recipe in its canonical form.
  init(_ loaded: LoadedRecipe) {
    let json = loaded.recipe.canonicalJSON
    recipe = JobRecipe(
      name: loaded.name, digest: SHA256Digest(of: Array(json.utf8)).hex, canonicalJSON: json)
  }

  /// A job with the usual settings.
  func job(input: String, output: String) -> NewJob {
    NewJob(input: input, output: output, recipe: recipe)
  }
}
