import Platform

/// A promise that was looked at, and where it was broken.
struct Check {
  /// The promise.
  let promise: String
  /// What was looked at.
  let seen: String
  /// One line for each time it was broken.
  let violations: [String]
}

/// What all drills found, as a table in Markdown.
struct CheckTable {
  /// The table's first lines.
  static let titles = """
    | drill | promise | looked at | |
    |---|---|---|---|
    """

  /// All violations, each with its drill.
  private(set) var violations: [String] = []

  /// Adds what a drill found, and gives its lines of the table.
  mutating func add(_ checks: [Check], of drill: String, took time: Duration) -> String {
    var rows = ["| \(drill) | | \(Int(time / .seconds(1))) s | |"]
    for check in checks {
      let verdict = check.violations.isEmpty ? "held" : "broken \(check.violations.count) times"
      rows.append("| | \(check.promise) | \(check.seen) | \(verdict) |")
      violations += check.violations.prefix(20).map { "\(drill): \(check.promise): \($0)" }
    }
    return rows.joined(separator: "\n")
  }
}
