import Commands
import FoundationEssentials
import JobQueue
import Platform
import Recipes

/// `keymill list`: the jobs in the queue.
struct ListCommand: Command {
  static let name = "list"
  static let summary = "List jobs"
  static let examples = [
    Example("keymill list", "the newest hundred"),
    Example("keymill list --state failed --json", "what failed, for a program"),
  ]

  @Option(help: "Only jobs in this state.", valueName: "state")
  var state: [StateArgument] = []
  @Option(help: "Only jobs of this queue.", valueName: "name")
  var queue: String?
  @Option(help: "Only jobs of this batch.", valueName: "name")
  var batch: String?
  @Option(help: "At most so many.", valueName: "n")
  var limit = 100
  @Flag(help: "The oldest first.")
  var oldest: Bool
  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var queueOptions: QueueOptions

  func validate() throws {
    if limit < 1 { throw UsageError("--limit must be at least 1") }
  }

  func run() throws {
    var filter = JobFilter()
    filter.states = Set(state.map(\.state))
    filter.queue = queue
    filter.batch = batch
    filter.limit = limit
    filter.newestFirst = !oldest
    let store = try queueOptions.open(.reader)
    let jobs = try store.list(filter)
    if json { return try Output.json(JobList(jobs: jobs.map(JobJSON.init))) }
    guard !jobs.isEmpty else { return Output.message("no jobs") }
    var table = TextTable(["ID", "STATE", "DONE", "TIME", "RECIPE", "INPUT", "OUTPUT"])
    for job in jobs {
      table.add([
        "\(job.id)", job.state.name + (job.isPartial ? "*" : ""),
        "\(Int(job.progress.fraction * 100))%", try store.runTime(of: job), job.recipe.name,
        job.inputName.fileName, job.isTroubled ? job.error ?? job.output : job.place,
      ])
    }
    table.lines.forEach { Output.result(Output.printable($0)) }
    if jobs.contains(where: \.isPartial) {
      Output.message("* from a damaged input: see the manifest's warnings")
    }
  }
}

/// A state as an argument.
struct StateArgument: ExpressibleByArgument {
  let state: JobState

  init?(argument: String) {
    guard let state = JobState(name: argument) else { return nil }
    self.state = state
  }

  static var allValueStrings: [String] { JobState.allCases.map(\.name) }
}

extension Job {
  /// Whether its last error is what matters about it now: it ended with it, or waits because of it.
  fileprivate var isTroubled: Bool {
    switch state {
    case .failed, .quarantined, .scheduled: true
    default: false
    }
  }

  /// Where its output is or will be, and whose it is as well.
  fileprivate var place: String {
    output + (reusedFrom.map { " (as job \($0)'s)" } ?? "")
  }
}
