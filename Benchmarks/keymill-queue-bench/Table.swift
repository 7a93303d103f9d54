import Foundation

/// The rows of the result, with a bar for each.
struct Table {
  private var rows: [String] = []

  /// Rates of ours and the ceilings'.
  mutating func add(_ what: String, _ samples: Comparison, bar: Double) {
    let sides = [samples.bare, samples.sameRows, samples.ours]
    let rates = sides.map { median($0.map(\.rate)) }
    let ratios = [rates[2] / rates[0], rates[2] / rates[1]]
    row(
      what, "\(rate(rates[0])), \(rate(rates[1]))", rate(rates[2]),
      ratios.map(percent).joined(separator: ", "),
      sides.map { time(median($0.map(\.cpu))) }.joined(separator: ", "), "≥ \(percent(bar))",
      ratios.map { $0 >= bar ? "met" : "missed" }.joined(separator: ", "))
  }

  /// Times of ours on a small and on a large file.
  mutating func add(_ what: String, small: [Sample], large: [Sample], bar: Double) {
    let (one, other) = (median(small.map(\.wall)), median(large.map(\.wall)))
    row(
      what, time(one), time(other), String(format: "%.2f", other / one),
      "\(time(median(small.map(\.cpu)))), \(time(median(large.map(\.cpu))))",
      String(format: "≤ %.2f", bar), other / one <= bar ? "met" : "missed")
  }

  /// A figure of ours with a bar of its own.
  mutating func add(
    _ what: String, _ shown: String, cpu: Double? = nil, bar: String, isMet: Bool
  ) {
    row(what, "", shown, "", cpu.map(time) ?? "", bar, isMet ? "met" : "missed")
  }

  private mutating func row(
    _ cells: String...
  ) {
    rows.append("| " + cells.joined(separator: " | ") + " |")
  }

  /// The table in Markdown.
  var markdown: String {
    """
    | what | ceilings, or small | keymill, or large | ratio | CPU of each | bar | |
    |---|---|---|---|---|---|---|
    \(rows.joined(separator: "\n"))
    """
  }
}

func rate(_ value: Double) -> String { String(format: "%.0f/s", value) }

private func percent(_ value: Double) -> String { String(format: "%.0f %%", value * 100) }

private func time(_ value: Double) -> String { String(format: "%.1f µs", value * 1e6) }
