import Commands
import Foundation

/// `keymill-queue-bench measure`: measures and prints one table in Markdown.
struct MeasureCommand: Command {
  static let name = "measure"
  static let summary = "Measure, and print a table"

  @Option(help: "What stands for a large backlog and a long history.", valueName: "n")
  var jobs = 1_000_000
  @Option(help: "How often each side of a comparison is measured.", valueName: "n")
  var rounds = 60
  @Option(help: "Only this part; may be given again.", valueName: "part")
  var only: [BenchPart] = []
  @Option(help: "The program whose submit is measured.", valueName: "file")
  var keymill = ".build/release/keymill"

  func validate() throws {
    if jobs <= 10_000 { throw UsageError("--jobs must be more than 10000") }
    if rounds < 1 { throw UsageError("--rounds must be at least 1") }
  }

  func run() throws {
    let directory = URL(fileURLWithPath: ".build/bench/queue")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var bench = Bench(directory: directory, rounds: rounds, many: jobs, keymill: keymill)
    for part in BenchPart.allCases where only.isEmpty || only.contains(part) {
      try bench.measure(part)
    }
    print(
      """
      The ceilings are job tables in C: a bare one, and one that writes the same rows as keymill into
      the same tables; synchronous as keymill is. Medians of \(rounds) rounds in which the sides take
      turns; the waits for the disk are about the same on all.

      \(bench.table.markdown)
      """)
  }
}

/// What is measured.
enum BenchPart: String, CaseIterable, ExpressibleByArgument {
  /// Submits, one by one and many at once.
  case submits
  /// Claims and ends, on backlogs of several sizes.
  case drains
  /// The same beside jobs that are not due.
  case scheduled
  /// Many processes at one queue.
  case contention
  /// A file with a long history beside an empty one.
  case history
}
