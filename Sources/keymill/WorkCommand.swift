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
    into the queue without losing an attempt. SIGTTIN and SIGTTOU add and remove a process; SIGHUP \
    takes over new libraries, and cores and memory as they are then.
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
  @Option(
    help:
      "Memory of its own that a job may have; a job that wants more fails, and so many run as fit.",
    valueName: "size")
  var maxMemory: ByteSize?
  @Option(
    help: "Memory for all jobs together, with --max-memory; the machine's by default.",
    valueName: "size")
  var poolMemory: ByteSize?
  @Option(
    help:
      "The most that one file of an output may hold; a job that writes more fails. 64Gi by default.",
    valueName: "size")
  var maxFile: ByteSize?
  @Flag(help: "Start a program for each job instead of forking one that is loaded; far slower.")
  var noZygote: Bool
  @Flag(help: "Refuse to work where the kernel cannot confine jobs wholly.")
  var requireSandbox: Bool
  @Option(help: "How long a lease holds; renewed three times as often.", valueName: "time")
  var lease: Duration = .seconds(30)
  @OptionGroup var downloadOptions: DownloadArguments
  @OptionGroup var queueOptions: QueueOptions

  func validate() throws {
    if stall <= .zero { throw UsageError("--stall must be more than 0") }
    if let cpuThreads, cpuThreads < 1 { throw UsageError("--cpu-threads must be at least 1") }
    if let maxMemory, maxMemory.bytes < Self.leastMemory {
      throw UsageError("--max-memory must be at least \(ByteCount.text(Int(Self.leastMemory)))")
    }
    if poolMemory != nil && maxMemory == nil {
      throw UsageError("--pool-memory needs --max-memory, by which it is shared out")
    }
    if poolMemory?.bytes == 0 || maxFile?.bytes == 0 {
      throw UsageError("--pool-memory and --max-file must be more than 0")
    }
    if lease < .seconds(1) { throw UsageError("--lease must be at least 1s") }
  }

  /// What a job process has before it begins, and a little to work with.
  private static let leastMemory: Int64 = 64_000_000

  func run() throws {
    if let lack = SandboxSupport.current.lack {
      if requireSandbox { throw SandboxError(lack: lack) }
      Output.message("keymill: jobs are not confined wholly; this kernel has \(lack)")
    }
    // A thousand jobs need more than the thousand descriptors that a process usually gets.
    Host.raiseDescriptorLimit()
    var options = SupervisorOptions(processes: processes.count)
    options.drains = drain
    options.grace = grace
    options.stall = stall
    options.threadsPerJob = cpuThreads
    options.lease = lease
    options.maxMemory = maxMemory?.bytes
    if let maxFile { options.maxFileSize = maxFile.bytes }
    if case .auto = processes { options.followsCores = true }
    if let poolMemory { options.poolMemory = poolMemory.bytes }
    options.zygoteCommand = noZygote ? nil : [Executable.itself, ZygoteCommand.name]
    let cache = try CacheOptions().open()
    options.downloads = downloadOptions.options(cache, maxAge: DownloadArguments.usualMaxAge)
    let supervisor = try Supervisor(
      store: try queueOptions.open(.supervisor), options: options,
      publisher: Publisher(cache: cache),
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

/// Jobs cannot be confined here as they must be.
struct SandboxError: Error, CustomStringConvertible {
  /// What is missing.
  let lack: String

  var description: String { "--require-sandbox: this kernel has \(lack)" }
}

/// A number of processes, or as many as there are cores.
enum ProcessCount: ExpressibleByArgument {
  case auto
  case fixed(Int)

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else if let number = Int(argument), Self.range.contains(number) {
      self = .fixed(number)
    } else {
      return nil
    }
  }

  /// How many there may be.
  static let range = 1...1024

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
