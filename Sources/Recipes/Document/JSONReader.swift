/// Reads a JSON document into nodes that know their place in it.
///
/// Foundation's `JSONDecoder` and `JSONSerialization` drop the position of every value, so nothing
/// found later (an unknown field, a number out of range) could be shown where it stands; they also
/// let the last of two equal keys win in silence. Recipes are written by hand, so this reader is
/// strict RFC 8259 and words the usual slips: trailing commas, missing quotes, comments.
struct JSONReader {
  /// Recipes need 6 levels; the bound keeps a hostile document from exhausting the stack.
  static let deepestNesting = 32

  let source: SourceText
  var offset = 0
  var path = FieldPath()

  private init(_ source: SourceText) { self.source = source }

  /// The one value that makes up the whole document.
  static func read(_ source: SourceText) throws(RecipeError) -> JSONNode {
    var reader = JSONReader(source)
    try reader.skipSpace()
    guard reader.next != nil else {
      throw reader.error("the document is empty")
    }
    let node = try reader.readNode()
    try reader.skipSpace()
    guard reader.next == nil else {
      throw reader.error("there is more text after the end of the document")
    }
    return node
  }

  /// The byte that is read next, or `nil` at the end.
  var next: UInt8? { offset < source.bytes.count ? source.bytes[offset] : nil }

  func error(_ message: String, at place: Int? = nil) -> RecipeError {
    source.error(at: place ?? offset, in: path, message)
  }

  mutating func skipSpace() throws(RecipeError) {
    while let byte = next, byte.isJSONSpace { offset += 1 }
    if next == UInt8(ascii: "/") {
      throw error("JSON has no comments; take this one out")
    }
  }

  private mutating func readNode() throws(RecipeError) -> JSONNode {
    let start = offset
    let value: JSONValue =
      switch next {
      case UInt8(ascii: "{"): .object(try readMembers())
      case UInt8(ascii: "["): .list(try readElements())
      case UInt8(ascii: "\""): .text(try readString())
      default: try readBareValue()
      }
    return JSONNode(value: value, offset: start)
  }

  /// Reads the value of a field or element, with `valuePath` as the place of its errors.
  private mutating func readNode(at valuePath: FieldPath) throws(RecipeError) -> JSONNode {
    let outer = path
    path = valuePath
    try skipSpace()
    let node = try readNode()
    path = outer
    return node
  }
}

// MARK: - Lists and objects

extension JSONReader {
  /// Steps over the bracket that opens a list or object, and the space after it.
  ///
  /// - Returns: Where the bracket stands.
  private mutating func enter() throws(RecipeError) -> Int {
    let start = offset
    guard path.depth < Self.deepestNesting else {
      throw error("nested more than \(Self.deepestNesting) levels deep")
    }
    offset += 1
    try skipSpace()
    return start
  }

  private mutating func readElements() throws(RecipeError) -> [JSONNode] {
    var elements: [JSONNode] = []
    let start = try enter()
    while next != UInt8(ascii: "]") {
      elements.append(try readNode(at: path.appending(index: elements.count)))
      try readSeparator(before: "]", closing: start)
    }
    offset += 1
    return elements
  }

  private mutating func readMembers() throws(RecipeError) -> [JSONMember] {
    var members: [JSONMember] = []
    var places: [String: Int] = [:]
    let start = try enter()
    while next != UInt8(ascii: "}") {
      let nameOffset = offset
      let name = try readName(closing: start)
      let memberPath = path.appending(field: name)
      if let first = places.updateValue(nameOffset, forKey: name) {
        let line = source.position(of: first).line
        throw source.error(at: nameOffset, in: memberPath, "given twice, first on line \(line)")
      }
      let node = try readNode(at: memberPath)
      members.append(JSONMember(name: name, nameOffset: nameOffset, node: node))
      try readSeparator(before: "}", closing: start)
    }
    offset += 1
    return members
  }

  /// Reads a field's name and the colon after it.
  private mutating func readName(closing start: Int) throws(RecipeError) -> String {
    switch next {
    case UInt8(ascii: "\""): break
    case nil: throw unclosed(start)
    case UInt8(ascii: "#"): throw error("JSON has no comments; take this one out")
    case UInt8(ascii: ","): throw error("a comma with no field before it")
    default:
      let word = bareWord { $0 == UInt8(ascii: ":") }
      throw error(
        word.isEmpty
          ? "expected a field's name in double quotes"
          : "a field's name needs double quotes: \(quoted(word))")
    }
    let name = try readString()
    try skipSpace()
    guard next == UInt8(ascii: ":") else {
      throw error("expected \":\" after \(quoted(name))")
    }
    offset += 1
    return name
  }

  /// Reads the comma after a value, or stops before the bracket that ends the list or object.
  private mutating func readSeparator(
    before bracket: Unicode.Scalar, closing start: Int
  ) throws(RecipeError) {
    let end = offset
    try skipSpace()
    switch next {
    case UInt8(ascii: bracket): return
    case nil: throw unclosed(start)
    case UInt8(ascii: ","): break
    case UInt8(ascii: "}"), UInt8(ascii: "]"): throw error("expected \"\(bracket)\" here")
    default: throw error("missing comma", at: end)
    }
    let comma = offset
    offset += 1
    try skipSpace()
    if next == UInt8(ascii: bracket) {
      throw error("trailing comma; JSON allows none before \"\(bracket)\"", at: comma)
    }
  }

  private func unclosed(_ start: Int) -> RecipeError {
    let bracket = source.bytes[start] == UInt8(ascii: "{") ? "{" : "["
    return error("this \"\(bracket)\" is never closed", at: start)
  }
}

extension UInt8 {
  /// Whether the byte is white space in JSON (RFC 8259, section 2).
  var isJSONSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
      || self == UInt8(ascii: "\t")
  }
}
