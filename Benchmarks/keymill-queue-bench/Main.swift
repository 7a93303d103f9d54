import Foundation

/// Measures the queue beside a raw job table in C on the same disk, and prints one table in Markdown.
@main
struct Main {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("keymill-queue-bench: \(error)\n".utf8))
      exit(error is UsageError ? 64 : 1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    let (many, rounds) = try sizes(arguments)
    let directory = URL(fileURLWithPath: ".build/bench/queue")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var bench = Bench(directory: directory, rounds: rounds, many: many)
    try bench.submits()
    try bench.drains()
    try bench.drainBesideScheduled()
    try bench.history()
    print(
      """
      The ceilings are one table in C, bare, and with a row of history for each change as keymill
      keeps it; synchronous as keymill is. Medians of \(rounds) rounds in which the sides take turns;
      the waits for the disk are about the same on all.

      \(bench.table.markdown)
      """)
  }

  private static func sizes(_ arguments: [String]) throws -> (many: Int, rounds: Int) {
    if arguments.isEmpty { return (1_000_000, 60) }
    guard arguments.count == 2, let many = Int(arguments[0]), let rounds = Int(arguments[1]),
      many > 10_000, rounds > 0
    else { throw UsageError() }
    return (many, rounds)
  }
}

/// The arguments make no sense; the description is the usage.
struct UsageError: Error, CustomStringConvertible {
  var description: String { "usage: keymill-queue-bench [JOBS ROUNDS]" }
}
