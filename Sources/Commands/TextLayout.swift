/// Sets paragraphs and lists of terms in lines of bounded width.
struct TextLayout {
  let columns: Int

  /// Breaks a text at spaces, but for words that are longer than a line.
  ///
  /// `indent` spaces stand before every line, and `hanging` more before every line but the first.
  func paragraph(_ text: String, indent: Int = 0, hanging: Int = 0) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let room = columns - indent - (lines.isEmpty ? 0 : hanging)
      if !line.isEmpty, displayWidth(line) + 1 + displayWidth(word) > room {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    lines.append(line)
    return lines.enumerated().map { number, line in
      spaces(indent + (number == 0 ? 0 : hanging)) + line
    }.joined(separator: "\n")
  }

  /// How wide the column of terms is: as the widest of them, but never more than a third.
  func termWidth(_ items: [(String, String)]) -> Int {
    let widest = items.map { displayWidth($0.0) }.max() ?? 0
    return min(widest, columns / 3)
  }

  /// A titled list of terms with what they mean beside them; below them where they are too wide.
  func section(_ title: String, _ items: [(String, String)], termWidth: Int) -> String {
    let column = termWidth + 4
    let lines = items.map { term, meaning -> String in
      let text = paragraph(meaning, indent: column)
      guard displayWidth(term) <= termWidth else { return "  \(term)\n\(text)" }
      let padding = spaces(column - 2 - displayWidth(term))
      return meaning.isEmpty ? "  \(term)" : "  \(term)\(padding)\(text.dropFirst(column))"
    }
    return "\(title.uppercased()):\n" + lines.joined(separator: "\n")
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
