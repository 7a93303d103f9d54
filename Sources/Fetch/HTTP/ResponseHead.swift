/// The status and fields of an answer (RFC 9110).
struct ResponseHead: Hashable, Sendable {
  /// The status code; 0 until the first line came.
  private(set) var status = 0
  /// The values of each field, by its name in lower case, in their order.
  private var fields: [String: [String]] = [:]

  /// Takes a line, without its line break.
  ///
  /// A status line begins anew: what was before was provisional.
  mutating func add(_ line: String) {
    if line.hasPrefix("HTTP/") {
      self = ResponseHead()
      let words = line.split(separator: " ", maxSplits: 2)
      if words.count > 1 { status = Int(words[1]) ?? 0 }
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].trimmingWhitespace()
      // No field has control characters in it, and what servers said goes into later requests.
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return }
      fields[line[..<colon].lowercased(), default: []].append(value)
    }
  }

  /// Whether another head follows this one.
  var isProvisional: Bool { (100..<200).contains(status) }

  /// A field's value; the first where it is there more than once.
  subscript(name: String) -> String? { fields[name]?.first }

  /// The announced length of the body in bytes.
  ///
  /// `Content-Length` may come more than once if it says the same (RFC 9110, section 8.6).
  var contentLength: Announced<Int64> {
    guard let values = fields["content-length"] else { return .nothing }
    let lengths = Set(values.flatMap { $0.split(separator: ",") }.map { $0.trimmingWhitespace() })
    guard lengths.count == 1, let length = lengths.first?.wholeNumber else { return .nonsense }
    return .value(length)
  }

  /// Which bytes of how many the body is.
  ///
  /// `Content-Range: bytes 5-9/10` (RFC 9110, section 14.4).
  var contentRange: Announced<ContentRange> {
    guard let text = self["content-range"] else { return .nothing }
    guard let range = ContentRange(text) else { return .nonsense }
    return .value(range)
  }

  /// Whether the body says itself where it ends.
  var isChunked: Bool { transferCoding == "chunked" }
  /// How the body is wrapped for the way; `nil` for not at all.
  var transferCoding: String? { fields["transfer-encoding"]?.joined(separator: ",").lowercased() }

  /// How the content is encoded; `nil` where it is as it is.
  var contentCoding: String? {
    let coding = fields["content-encoding"]?.joined(separator: ",").lowercased()
    return coding == "identity" || coding == "" ? nil : coding
  }

  /// What the server calls this state of the resource.
  var validators: HTTPValidators {
    HTTPValidators(etag: self["etag"], lastModified: self["last-modified"])
  }
}

/// What a field says.
enum Announced<Value: Hashable & Sendable>: Hashable, Sendable {
  /// It is not there.
  case nothing
  /// It is not what it has to be.
  case nonsense
  /// A value.
  case value(Value)
}

/// A part of a file.
struct ContentRange: Hashable, Sendable {
  /// The first byte's number.
  let first: Int64
  /// The number after the last byte's.
  let end: Int64
  /// How many bytes there are in all; `nil` where the server does not know.
  let total: Int64?

  /// Reads `bytes 5-9/10`; `nil` for anything that makes no sense.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = String(ends[0]).wholeNumber,
      let last = String(ends[1]).wholeNumber, first <= last, last < Int64.max
    else { return nil }
    let total = String(parts[1]).wholeNumber
    guard total.map({ last < $0 }) ?? (parts[1] == "*") else { return nil }
    (self.first, end, self.total) = (first, last + 1, total)
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  func trimmingWhitespace() -> String {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}

extension String {
  /// The number, of digits alone, without a sign; `nil` also beyond 64 bits.
  var wholeNumber: Int64? {
    utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(self) : nil
  }
}
