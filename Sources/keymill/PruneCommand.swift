import Commands
import FoundationEssentials
import JobQueue

/// `keymill prune`: forgets what has ended, and keeps the queue's file small.
struct PruneCommand: Command {
  static let name = "prune"
  static let summary = "Forget jobs that ended long ago"
  static let discussion = """
    Without --older-than the retention of the queue decides (30 days; details of jobs that went well 7 \
    days). Outputs are never touched. Which files of a watched directory were submitted is remembered \
    for a year.
    """
  static let examples = [
    Example("keymill prune", "by the retention"),
    Example("keymill prune --older-than 24h --state completed", "what went well before yesterday"),
  ]

  @Option(help: "Jobs that ended so long ago.", valueName: "time")
  var olderThan: Duration?
  @Option(help: "With --older-than: only jobs in this final state.", valueName: "state")
  var state: [StateArgument] = []
  @Flag(help: "Give the room in the file back to the disk as well.")
  var vacuum: Bool
  @OptionGroup var queueOptions: QueueOptions

  func validate() throws {
    if !state.isEmpty && olderThan == nil { throw UsageError("--state needs --older-than") }
    if let waiting = state.first(where: { !$0.state.isFinal }) {
      throw UsageError("jobs that are \(waiting.state.name) have not ended and are never pruned")
    }
  }

  func run() throws {
    let store = try queueOptions.open(.client)
    if let olderThan {
      let time = Date(timeIntervalSinceNow: -(olderThan / .seconds(1)))
      let states = state.isEmpty ? JobState.allCases.filter(\.isFinal) : state.map(\.state)
      Output.message("\(try store.prune(endedBefore: time, states: Set(states))) jobs removed")
    } else {
      let report = try store.applyRetention(now: Date())
      Output.message("\(report.jobs) jobs removed, details of \(report.compacted) more")
    }
    if vacuum { try store.vacuum() }
  }
}
