/// What an output is made from, as people name it: the path of a file, or an `http` or `https` URL.
public struct InputName: Hashable, Sendable {
  /// The path or URL as it was given; a URL may have a user and a password in it.
  public let text: String
  /// Whether it is a URL, and has to be downloaded first.
  public let isURL: Bool

  /// Takes a name as it was given.
  public init(_ text: String) {
    self.text = text
    isURL = ["http", "https"].contains(Self.scheme(of: text))
  }

  /// The scheme of what is written as a URL, in lower case; nil for a path (RFC 3986, section 3.1).
  public static func scheme(of text: String) -> String? {
    guard let end = text.firstRange(of: "://")?.lowerBound,
      let first = text.first, first.isASCII, first.isLetter,
      text[..<end].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    return text[..<end].lowercased()
  }

  /// What everybody may see, and by which the same input is told: of a URL all but user, password and
  /// fragment.
  public var shown: String {
    guard let parts = URLParts(text), isURL else { return text }
    return String(parts.beforeUser + parts.host + parts.path + parts.query)
  }

  /// What it is called for short: the last part of the path, of a URL decoded and made fit for a file.
  ///
  /// Never empty, `.` or `..` for a URL, and without slashes and control characters.
  public var fileName: String {
    guard let parts = URLParts(text), isURL else {
      return text.split(separator: "/").last.map(String.init) ?? text
    }
    let last = parts.path.split(separator: "/").last ?? ""
    let name = Self.fitForFile(Self.decoded(last))
    return name.allSatisfy { $0 == "." } ? "track" : name
  }

  /// The extension of the file's name, in lower case and without the dot; nil where there is none that
  /// could be one.
  public var fileExtension: String? {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0] != "", let last = parts.last, (1...8).contains(last.utf8.count),
      last.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return nil }
    return last.lowercased()
  }

  /// Longer names leave no room for what is put behind them, in the 255 bytes that file systems have.
  private static let longestName = 180

  private static func fitForFile(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      guard result.utf8.count < longestName else { break }
      let isFit = scalar != "/" && scalar.properties.generalCategory != .control
      result.unicodeScalars.append(isFit ? scalar : "_")
    }
    return result
  }

  /// The text that percent signs and digits stand for (RFC 3986, section 2.1); what is no UTF-8 then, is
  /// left as it is.
  private static func decoded(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = bytes[index...].dropFirst().prefix(2)
      if bytes[index] == UInt8(ascii: "%"), digits.count == 2, digits.first != UInt8(ascii: "+"),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        result.append(value)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(validating: result, as: UTF8.self) ?? String(text)
  }
}

/// The parts of a URL with an authority (RFC 3986, section 3).
private struct URLParts {
  /// Scheme and slashes.
  let beforeUser: Substring
  /// Host and port.
  let host: Substring
  /// The path with its first slash; empty where there is none.
  let path: Substring
  /// The query with its question mark; empty where there is none.
  let query: Substring

  init?(_ text: String) {
    guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
    beforeUser = text[..<start]
    let rest = text[start...].prefix { $0 != "#" }
    let authority = rest.prefix { !"/?".contains($0) }
    host =
      authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let behind = rest[authority.endIndex...]
    path = behind.prefix { $0 != "?" }
    query = behind[path.endIndex...]
  }
}
