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
    try queueOptions.forEach(ids) { store, id in
      switch try store.cancel(id, now: Date()) {
      case .cancelled: "cancelled"
      case .requested: "running; its process is being ended"
      case .tooLate(let state): "\(state.name) already"
      }
    }
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
    try queueOptions.forEach(ids) { try $0.retry($1, now: Date()).state.name }
  }
}
