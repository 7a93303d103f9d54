import BenchCommands
import Foundation

/// One line of the table.
struct Row {
  enum Unit {
    case seconds
    case megabytes
    case nanoseconds
  }

  private let name: String
  private let base: [Double]
  private let ours: [Double]
  private let unit: Unit
  private let bar: Double?
  private let limit: Double?

  /// A comparison, with the most that the ratio (`bar`) or our own figure (`limit`) may be.
  init(
    _ name: String, _ pairs: [Pair], of quantity: (BenchRun) -> Double, in unit: Unit,
    bar: Double? = nil, limit: Double? = nil
  ) {
    self.name = name
    self.unit = unit
    self.bar = bar
    self.limit = limit
    base = pairs.map { quantity($0.base) }
    ours = pairs.map { quantity($0.ours) }
  }

  /// Figures of both sides, or of ours alone, with the most that ours may be.
  init(_ name: String, base: [Double], ours: [Double], in unit: Unit, limit: Double? = nil) {
    (self.name, self.unit, self.base, self.ours) = (name, unit, base, ours)
    (bar, self.limit) = (nil, limit)
  }

  var markdown: String {
    let cells = [name, shown(median(base)), shown(median(ours)), ratioText, barText, verdict]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  /// Ours to the other's, pair by pair, so that a change in the machine's pace falls out.
  private var ratios: [Double] {
    zip(ours, base).map { $0 / $1 }
  }

  private var ratioText: String {
    guard let middle = median(ratios), let low = ratios.min(), let high = ratios.max() else {
      return ""
    }
    guard ratios.count > 1 else { return String(format: "%.3f", middle) }
    return String(format: "%.3f (%.3f–%.3f)", middle, low, high)
  }

  private var barText: String {
    if let bar { return String(format: "≤ %.3f", bar) }
    return limit.map { "≤ " + shown($0) } ?? ""
  }

  private var verdict: String {
    if let bar, let ratio = median(ratios) { return ratio <= bar ? "met" : "missed" }
    if let limit, let most = ours.max() { return most <= limit ? "met" : "missed" }
    return ""
  }

  private func shown(_ value: Double?) -> String {
    guard let value else { return "" }
    return switch unit {
    case .seconds: String(format: "%.2f s", value)
    case .megabytes: String(format: "%.0f MB", value / 1e6)
    case .nanoseconds: String(format: "%.2f ns", value)
    }
  }
}

/// The middle one of the values, or of the two in the middle the mean; nil where there are none.
func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// The whole table.
struct Report {
  let machine: Machine
  let versions: [String]
  let runs: Int
  var rows: [Row] = []

  var markdown: String {
    let place = "\(machine.processor), \(machine.cores.count) cores, \(machine.system)"
    return """
      \(([place] + versions).joined(separator: "; ")).
      Medians of \(runs) runs in turn; in brackets the least and the greatest ratio of a pair.

      | what | ffmpeg, or the first | keymill, or the second | ratio | bar | |
      |---|---|---|---|---|---|
      \(rows.map(\.markdown).joined(separator: "\n"))
      """
  }
}
