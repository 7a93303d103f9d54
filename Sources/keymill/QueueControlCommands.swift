import Commands
import JobQueue

/// `keymill pause`: stops claims from named queues.
struct PauseCommand: Command {
  static let name = "pause"
  static let summary = "Stop taking jobs from a named queue"
  static let discussion = "What runs goes on; what waits keeps its place."
  static let examples = [Example("keymill pause transcodes", "let other work go first")]

  @Argument(help: "The queues' names.", valueName: "queue")
  var queues: [String] = ["default"]
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let store = try queueOptions.open(.client)
    for queue in queues {
      try store.pause(queue: queue)
      Output.message("queue \(queue): paused")
    }
  }
}

/// `keymill resume`: allows claims from named queues again.
struct ResumeCommand: Command {
  static let name = "resume"
  static let summary = "Take jobs from a named queue again"
  static let examples = [Example("keymill resume transcodes", "its jobs may start")]

  @Argument(help: "The queues' names.", valueName: "queue")
  var queues: [String] = ["default"]
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let store = try queueOptions.open(.client)
    for queue in queues {
      try store.resume(queue: queue)
      Output.message("queue \(queue): resumed")
    }
    queueOptions.ring(store)
  }
}

/// `keymill scale`: changes how many job processes the pools run.
struct ScaleCommand: Command {
  static let name = "scale"
  static let summary = "Change how many job processes running pools have"
  static let discussion = """
    Every pool on this queue takes the number over within a second. What runs beyond it may finish.
    """
  static let examples = [Example("keymill scale 4", "four processes in each pool")]

  @Argument(help: "Job processes of a pool, 0 to 1024.", valueName: "n")
  var processes: Int
  @OptionGroup var queueOptions: QueueOptions

  func validate() throws {
    guard (0...1024).contains(processes) else {
      throw UsageError("a pool has 0 to 1024 processes, not \(processes)")
    }
  }

  func run() throws {
    let store = try queueOptions.open(.client)
    let pools = try store.scale(to: processes)
    guard pools > 0 else {
      throw InputError(
        description: "no pool runs on \(store.path); start one with keymill work",
        exitCode: .noInput)
    }
    queueOptions.ring(store)
    Output.message("\(pools) \(pools == 1 ? "pool" : "pools"): \(processes) processes each")
  }
}
