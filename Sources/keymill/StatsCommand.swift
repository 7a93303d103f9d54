import Commands
import JobQueue

/// `keymill stats`: how many jobs are in which state.
struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "Count jobs by state and queue"
  static let examples = [Example("keymill stats --json", "for a program")]

  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let stats = try queueOptions.open(.reader).stats()
    if json { return try Output.json(stats) }
    var table = TextTable(["QUEUE"] + JobState.allCases.map { $0.name.uppercased() })
    for (name, counts) in stats.queues.sorted(by: { $0.key < $1.key }) {
      table.add([name] + JobState.allCases.map { "\(counts[$0, default: 0])" })
    }
    if stats.queues.count != 1 {
      table.add(["all"] + JobState.allCases.map { "\(stats.count($0))" })
    }
    table.lines.forEach(Output.result)
  }
}
