import Commands
import FoundationEssentials
import JobQueue

/// `keymill cancel`: calls jobs off, waiting or running.
struct CancelCommand: Command {
  static let name = "cancel"
  static let summary = "Call jobs off, waiting or running"
  static let examples = [Example("keymill cancel 17 18", "two jobs")]

  @Argument(help: "The jobs' numbers.", valueName: "id")
  var ids: [Int]
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let store = try queueOptions.open(.client)
    for id in ids {
      switch try store.cancel(Int64(id), now: Date()) {
      case .cancelled: Output.message("job \(id): cancelled")
      case .requested: Output.message("job \(id): is running and will be ended")
      case .tooLate: Output.message("job \(id): had ended before")
      }
    }
    queueOptions.ring(store)
  }
}

/// `keymill retry`: gives jobs that ended badly another chance.
struct RetryCommand: Command {
  static let name = "retry"
  static let summary = "Make failed, cancelled or quarantined jobs available again"
  static let examples = [Example("keymill retry 17", "once more")]

  @Argument(help: "The jobs' numbers.", valueName: "id")
  var ids: [Int]
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let store = try queueOptions.open(.client)
    for id in ids {
      let job = try store.retry(Int64(id), now: Date())
      Output.message("job \(id): \(job.state.name)")
    }
    queueOptions.ring(store)
  }
}
