// Strings, numbers and the three words of JSON.

extension JSONReader {
  /// Reads the string whose opening quote is next.
  mutating func readString() throws(RecipeError) -> String {
    let start = offset
    var text: [UInt8] = []
    offset += 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text.append(contentsOf: try readEscape().utf8)
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        throw error("this text has no closing double quote on its line", at: start)
      case 0..<0x20:
        throw error("a control character in text; write it as an escape, such as \\t")
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw error("this text has no closing double quote", at: start)
  }

  /// Reads one escape sequence, or the two that make up a surrogate pair.
  private mutating func readEscape() throws(RecipeError) -> Character {
    let start = offset
    offset += 1
    guard let letter = next else {
      throw error("the document ends in an escape", at: start)
    }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(letter))
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return Character(try readUnicodeEscape(from: start))
    default:
      throw error("no such escape in JSON; write a backslash as \\\\", at: start)
    }
  }

  private mutating func readUnicodeEscape(from start: Int) throws(RecipeError) -> Unicode.Scalar {
    let unit = try readCodeUnit(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), next == UInt8(ascii: "\\") else {
      throw error("half of a surrogate pair", at: start)
    }
    offset += 1
    guard next == UInt8(ascii: "u") else { throw error("half of a surrogate pair", at: start) }
    offset += 1
    let trail = try readCodeUnit(from: start)
    let pair = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) &- 0xDC00)
    guard UTF16.isTrailSurrogate(trail), let scalar = Unicode.Scalar(pair) else {
      throw error("half of a surrogate pair", at: start)
    }
    return scalar
  }

  /// Reads the four hexadecimal digits after `\u`.
  private mutating func readCodeUnit(from start: Int) throws(RecipeError) -> UInt16 {
    let digits = source.bytes[offset..<min(offset + 4, source.bytes.count)]
    guard digits.count == 4, digits.allSatisfy(\.isHexDigit),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else {
      throw error("\\u takes four hexadecimal digits", at: start)
    }
    offset += 4
    return unit
  }

  /// Reads a number, `true`, `false` or `null`, or says what the word there should have been.
  mutating func readBareValue() throws(RecipeError) -> JSONValue {
    let word = bareWord { _ in false }
    switch word {
    case "": throw error(next == nil ? "a value is missing at the end" : "a value is missing here")
    case "true": return finish(word, as: .flag(true))
    case "false": return finish(word, as: .flag(false))
    case "null": return finish(word, as: .null)
    default: break
    }
    if isJSONNumber(word), let number = Double(word) {
      guard number.isFinite else { throw error("\(excerpt(word)) is too large a number") }
      return finish(word, as: .number(number))
    }
    throw error(adviceAbout(word))
  }

  private mutating func finish(_ word: String, as value: JSONValue) -> JSONValue {
    offset += word.utf8.count
    return value
  }

  private func adviceAbout(_ word: String) -> String {
    switch word.lowercased() {
    case "true", "false", "null": "write \(word.lowercased()) in lower case"
    case "none", "nil": "JSON writes this as null"
    case _ where word.hasPrefix("'"): "JSON takes double quotes, not single ones"
    case _ where word.utf8.allSatisfy { $0.isNumberPart }:
      "\(excerpt(word)) is not a number as JSON writes them, such as 12, -3, 0.5 or 1e-3"
    default: "\(excerpt(word)) needs double quotes: \(quoted(word))"
    }
  }

  /// The run of bytes from here to white space, a comma, quote, bracket or what `stops` names.
  func bareWord(stops: (UInt8) -> Bool) -> String {
    let word = source.bytes[offset...].prefix { byte in
      !byte.isJSONSpace && !",\"[]{}".utf8.contains(byte) && !stops(byte)
    }
    return String(decoding: word, as: UTF8.self)
  }
}

/// Whether `word` is a number in the grammar of RFC 8259, section 6.
private func isJSONNumber(_ word: String) -> Bool {
  var rest = Substring(word).utf8
  func skipDigits() -> Int {
    let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    rest = rest.dropFirst(count)
    return count
  }
  func skip(anyOf letters: String) -> Bool {
    guard let first = rest.first, letters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  _ = skip(anyOf: "-")
  if !skip(anyOf: "0"), skipDigits() == 0 { return false }
  if skip(anyOf: "."), skipDigits() == 0 { return false }
  if skip(anyOf: "eE") {
    _ = skip(anyOf: "+-")
    if skipDigits() == 0 { return false }
  }
  return rest.isEmpty
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }

  /// Whether the byte may stand in something meant as a number.
  fileprivate var isNumberPart: Bool { "0123456789+-.eE".utf8.contains(self) }
}
