/// Writes JSON piece by piece: a manifest of a hundred thousand frames never lies in memory as a tree.
///
/// Two spaces of indent; short arrays and objects stay on one line when asked to.
struct JSONEmitter {
  /// What has been written and not been taken yet.
  private(set) var text = ""
  private var levels: [Level] = []

  private struct Level {
    let close: Character
    let isInline: Bool
    var isEmpty = true
  }

  /// Takes the text written so far, to be put into the file.
  mutating func take() -> String {
    defer { text = "" }
    return text
  }

  /// Opens an object; `inline` keeps it on one line.
  mutating func beginObject(_ key: String? = nil, inline: Bool = false) {
    open("{", "}", key, inline)
  }

  /// Opens an array; `inline` keeps it on one line.
  mutating func beginArray(_ key: String? = nil, inline: Bool = false) {
    open("[", "]", key, inline)
  }

  /// Closes what was opened last.
  mutating func end() {
    guard let level = levels.popLast() else { return }
    if !level.isInline && !level.isEmpty { breakLine() }
    text.append(level.close)
    if levels.isEmpty { text.append("\n") }
  }

  /// A string; nothing at all if it is nil.
  mutating func string(_ key: String?, _ value: String?) {
    guard let value else { return }
    prefix(key)
    quote(value)
  }

  /// A whole number; nothing at all if it is nil.
  mutating func integer(_ key: String?, _ value: (some BinaryInteger)?) {
    guard let value else { return }
    prefix(key)
    text += String(value)
  }

  /// A number with at most six decimals (a microsecond); nothing at all if it is nil or not finite.
  mutating func number(_ key: String?, _ value: Double?) {
    guard let value, value.isFinite else { return }
    prefix(key)
    let rounded = (value * 1e6).rounded() / 1e6
    if rounded == rounded.rounded(), abs(rounded) < 1e15 {
      text += String(Int64(rounded))
    } else {
      text += String(rounded)
    }
  }

  /// True or false.
  mutating func bool(_ key: String?, _ value: Bool) {
    prefix(key)
    text += value ? "true" : "false"
  }

  /// A value that is JSON already.
  mutating func raw(_ key: String?, _ json: String) {
    prefix(key)
    text += json
  }

  private mutating func open(
    _ open: Character, _ close: Character, _ key: String?, _ inline: Bool
  ) {
    prefix(key)
    text.append(open)
    levels.append(Level(close: close, isInline: inline || (levels.last?.isInline ?? false)))
  }

  private mutating func prefix(_ key: String?) {
    if let level = levels.last {
      if !level.isEmpty { text += level.isInline ? ", " : "," }
      levels[levels.count - 1].isEmpty = false
      if !level.isInline { breakLine() }
    }
    if let key {
      quote(key)
      text += ": "
    }
  }

  private mutating func breakLine() {
    text += "\n" + String(repeating: "  ", count: levels.count)
  }

  private mutating func quote(_ value: String) {
    text.append("\"")
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<" ":
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text.append("\"")
  }
}
