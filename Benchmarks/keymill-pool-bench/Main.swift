import Glibc
import Platform

/// Measures what the pool costs around a job's own work, and prints one table in Markdown.
///
/// It runs from the package's root, with `keymill` built for release; `make bench-pool` sees to that.
@main
struct Main {
  static func main() {
    do {
      try run(jobs: try jobs(from: Array(CommandLine.arguments.dropFirst())))
    } catch {
      try? FileDescriptor(owning: STDERR_FILENO).writeAll("keymill-pool-bench: \(error)\n")
      exit(error is UsageError ? 64 : 1)
    }
  }

  private static func run(jobs: Int) throws {
    let bench = try PoolBench(jobs: jobs)
    var rows = [Row("what", "figure", "bar", "")]
    let nothing = try bench.cpuPerJob(.nothing)
    rows.append(Row("CPU of a job that does nothing", nothing, .milliseconds(10)))
    rows.append(Row("the same, each started anew", try bench.cpuPerJob(.nothing, "--no-zygote")))
    rows.append(Row("CPU of a still of 2x2 pixels", try bench.cpuPerJob(.still)))
    rows.append(
      Row("the same, each started anew", try bench.cpuPerJob(.still, "--no-zygote")))
    let latencies = try bench.startLatencies()
    rows.append(
      Row("commit to the input's first read, p50", latencies[latencies.count / 2], .milliseconds(5))
    )
    rows.append(
      Row("the same, p99", latencies[latencies.count * 99 / 100], .milliseconds(10)))
    let idle = try bench.idleUse(seconds: 10)
    rows.append(Row("CPU of an idle pool in a second", idle, .milliseconds(2)))
    let stills = jobs * 10 / 3
    let ratio = try bench.scaling(jobs: stills)
    rows.append(
      Row(
        "time of \(stills) stills with 2 processes, in halves of that with 1", ratio: ratio,
        bar: 1.15))
    print("\(jobs) jobs, 2 processes, \(CoreCount.available) cores\n")
    print(rows.map(\.markdown).joined(separator: "\n"))
  }

  private static func jobs(from arguments: [String]) throws -> Int {
    if arguments.isEmpty { return 300 }
    guard arguments.count == 2, arguments[0] == "--jobs", let jobs = Int(arguments[1]), jobs > 0
    else { throw UsageError() }
    return jobs
  }
}

/// The arguments make no sense; the description is the usage.
struct UsageError: Error, CustomStringConvertible {
  var description: String { "usage: keymill-pool-bench [--jobs N]" }
}

/// One line of the table.
struct Row {
  let cells: [String]

  /// A line of words; the first of a table has the titles.
  init(_ cells: String...) { self.cells = cells }

  /// A figure, with the most that it may be.
  init(_ name: String, _ figure: Duration, _ bar: Duration? = nil) {
    let verdict = bar.map { figure <= $0 ? "met" : "missed" }
    cells = [name, Self.text(figure), bar.map { "≤ " + Self.text($0) } ?? "", verdict ?? ""]
  }

  /// A ratio, with the most that it may be.
  init(_ name: String, ratio: Double, bar: Double) {
    func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
    cells = [name, text(ratio), "≤ " + text(bar), ratio <= bar ? "met" : "missed"]
  }

  var markdown: String {
    let line = "| " + cells.joined(separator: " | ") + " |"
    return cells[1] == "figure" ? line + "\n|---|---|---|---|" : line
  }

  private static func text(_ duration: Duration) -> String {
    let microseconds = Int64(duration / .microseconds(1))
    let hundredths = (microseconds + 5) / 10
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) ms"
  }
}
