import AudioCache
import Commands
import JobQueue
import Platform
import Worker

/// `keymill work`: the pool.
struct WorkCommand: Command {
  static let name = "work"
  static let summary = "Run the queue's jobs in a pool of processes"
  static let discussion = """
    Each job runs in a process of its own: a crash costs one attempt, never the pool. SIGTERM or \
    Ctrl-C lets running jobs finish for --grace, a second one ends them at once; their jobs go back \
    into the queue without losing an attempt. SIGTTIN and SIGTTOU add and remove a process.
    """
  static let examples = [
    Example("keymill work --processes 4", "a pool of four"),
    Example("keymill work --processes auto --drain", "one a core, until nothing is left"),
  ]

  @Option(
    name: .shortAndLong, help: "Job processes at once: a number, or auto for the cores.",
    valueName: "n")
  var processes: ProcessCount = .auto
  @Flag(help: "Stop when nothing is left; exit 1 if a job failed.")
  var drain: Bool
  @Option(help: "How long running jobs may go on after the first signal.", valueName: "time")
  var grace: Duration = .seconds(30)
  @Option(help: "How long a job's progress may stand still.", valueName: "time")
  var stall: Duration = .seconds(60)
  @Option(help: "Threads a job may use; cores shared among processes by default.", valueName: "n")
  var cpuThreads: Int?
  @Option(help: "How long a lease holds; renewed three times as often.", valueName: "time")
  var lease: Duration = .seconds(30)
  @OptionGroup var queueOptions: QueueOptions

  func validate() throws {
    if let cpuThreads, cpuThreads < 1 { throw UsageError("--cpu-threads must be at least 1") }
    if lease < .seconds(1) { throw UsageError("--lease must be at least 1s") }
  }

  func run() throws {
    var options = SupervisorOptions(processes: processes.count)
    options.drains = drain
    options.grace = grace
    options.stall = stall
    options.threadsPerJob = cpuThreads
    options.lease = lease
    let supervisor = try Supervisor(
      store: try queueOptions.open(.supervisor), options: options,
      publisher: Publisher(cache: AudioStore(root: AudioStore.defaultRoot())),
      log: { Output.message("keymill: \($0)") })
    let outcome = try supervisor.run()
    guard drain else { return }
    Output.message("keymill: \(outcome.completed) completed, \(outcome.failed) failed")
    guard !outcome.wasInterrupted else {
      Output.message("keymill: interrupted; what is left stays in the queue")
      throw ExitCode.tryAgain
    }
    if outcome.failed > 0 { throw ExitCode.failure }
  }
}

/// A number of processes, or as many as there are cores.
enum ProcessCount: ExpressibleByArgument {
  case auto
  case fixed(Int)

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else if let number = Int(argument), (1...1024).contains(number) {
      self = .fixed(number)
    } else {
      return nil
    }
  }

  static var expectation: String { "a number from 1 to 1024, or auto" }

  var defaultValueDescription: String {
    switch self {
    case .auto: "auto"
    case .fixed(let number): "\(number)"
    }
  }

  /// How many.
  var count: Int {
    switch self {
    case .auto: CoreCount.available
    case .fixed(let number): number
    }
  }
}
