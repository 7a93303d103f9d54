import FoundationEssentials

/// Sizes in words.
enum ByteCount {
  /// A size such as `1.3 MB`, by powers of 1000.
  static func text(_ bytes: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(bytes) bytes" : "\(String(tenths: value)) \(units[unit])"
  }
}

extension String {
  /// A number with one decimal.
  init(tenths value: Double) {
    let tenths = Int((Swift.min(Swift.max(value, -1e15), 1e15) * 10).rounded())
    self = "\(tenths / 10).\(abs(tenths % 10))"
  }
}

/// Columns of text, the last one as wide as it likes.
struct TextTable {
  private var rows: [[String]]

  /// A table with a line of titles.
  init(_ titles: [String]) { rows = [titles] }

  /// Adds a row of as many cells.
  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The lines, columns two spaces apart.
  var lines: [String] {
    let count = rows.first?.count ?? 0
    let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { index, cell in
        index == count - 1
          ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
      }.joined(separator: "  ")
    }
  }
}
