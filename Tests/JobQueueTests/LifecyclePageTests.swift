import Foundation
import JobQueue
import Testing

/// Whether docs/job-lifecycle.md tells what `Transition` does.
@Suite struct LifecyclePageTests {
  /// A way from one state to another under a name; a new job comes from none.
  private struct Way: Hashable {
    var name: String
    var source: String?
    var target: String
  }

  /// The ways of the table in the sources; asking a running job to end leads nowhere else.
  private static let ways: Set<Way> = {
    let entries: [JobState] = [.blocked, .scheduled, .available]
    var ways = Set(entries.map { Way(name: "submitted", source: nil, target: $0.name) })
    for transition in Transition.allCases {
      guard let target = transition.target else { continue }
      for source in transition.sources {
        ways.insert(Way(name: transition.name, source: source.name, target: target.name))
      }
    }
    return ways
  }()

  private static func page() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "docs/job-lifecycle.md"), encoding: .utf8)
  }

  @Test func `the diagram shows each way from one state to another`() throws {
    let lines = try Self.page().matches(of: /(\[\*\]|[a-z]+) --> ([a-z]+): ([a-z, -]+)/)
    let shown = lines.flatMap { line in
      line.output.3.split(separator: ", ").map { name in
        Way(
          name: String(name), source: line.output.1 == "[*]" ? nil : String(line.output.1),
          target: String(line.output.2))
      }
    }
    #expect(Set(shown) == Self.ways.filter { $0.source != $0.target })
    #expect(shown.count == Set(shown).count)
  }

  @Test func `the table lists each transition with its states`() throws {
    var listed: Set<Way> = []
    for row in try Self.page().matches(of: /\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \|[^|]+\|/) {
      let sources = Self.states(row.output.2)
      for target in Self.states(row.output.3) {
        for source in sources.isEmpty ? [nil] : sources.map(Optional.some) {
          listed.insert(Way(name: String(row.output.1), source: source, target: target))
        }
      }
    }
    #expect(listed == Self.ways)
  }

  private static func states(_ cell: Substring) -> [String] {
    cell.matches(of: /`([a-z]+)`/).map { String($0.output.1) }
  }
}
