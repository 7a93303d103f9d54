import Commands
import Foundation

/// Measures the queue beside a raw job table in C on the same disk.
@main
struct QueueBench: CommandGroup {
  static let name = "keymill-queue-bench"
  static let summary = "Measures the job queue against raw tables in C, on this disk"
  static let sections = [CommandSection([MeasureCommand.self, CompetitorCommand.self])]

  static func main() {
    let tree = CommandTree(QueueBench.self) { "keymill-queue-bench" }
    let code = tree.run(Array(CommandLine.arguments.dropFirst())) { error in
      print("keymill-queue-bench: \(error)")
      return .failure
    }
    exit(code.rawValue)
  }
}
