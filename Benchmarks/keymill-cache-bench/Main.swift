import AudioCache
import Foundation

/// Measures the audio cache, and what is made of tracks, against the bars, and prints one table in
/// Markdown.
@main
struct Main {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("keymill-cache-bench: \(error)\n".utf8))
      exit(error is UsageError ? 64 : 1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard arguments.count <= 1, let entries = Int(arguments.first ?? "1000000"), entries >= 20_000
    else { throw UsageError() }
    let directory = URL(fileURLWithPath: ".build/bench/cache").path
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    // The tracks first: what this process has held by then counts for the others.
    var rows = try TrackBench(directory: directory).run()
    rows += try CacheBench(directory: directory, entries: entries).run()
    print("| what | measured | bar | |\n|---|---|---|---|")
    for row in rows { print(row.markdown) }
    if rows.contains(where: { !$0.isMet }) { exit(1) }
  }
}

/// The arguments make no sense; the description is the usage.
struct UsageError: Error, CustomStringConvertible {
  var description: String { "usage: keymill-cache-bench [ENTRIES], at least 20000" }
}
