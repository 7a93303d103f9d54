import Foundation

/// Measures keymill side by side with the `ffmpeg` command, and prints one table in Markdown.
///
/// It runs from the package's root, with `keymill` and `keymill-samples` built for release;
/// `make bench` sees to that.
@main
struct Main {
  static func main() {
    do {
      let runs = try runs(from: Array(CommandLine.arguments.dropFirst()))
      try run(runs: runs)
    } catch {
      FileHandle.standardError.write(Data("keymill-bench: \(error)\n".utf8))
      exit(error is UsageError ? 64 : 1)
    }
  }

  private static func run(runs: Int) throws {
    let workshop = try Workshop()
    let bench = Bench(workshop: workshop, machine: Machine.current, runs: runs)
    var report = Report(machine: bench.machine, versions: try workshop.versions(), runs: runs)
    report.rows += try bench.keying()
    report.rows += try bench.cores()
    report.rows += try bench.length()
    report.rows += try bench.size()
    report.rows += try bench.stages()
    print(report.markdown)
  }

  private static func runs(from arguments: [String]) throws -> Int {
    if arguments.isEmpty { return 5 }
    guard arguments.count == 2, arguments[0] == "--runs", let runs = Int(arguments[1]), runs > 0
    else { throw UsageError() }
    return runs
  }
}

/// The arguments make no sense; the description is the usage.
struct UsageError: Error, CustomStringConvertible {
  var description: String { "usage: keymill-bench [--runs N]" }
}
