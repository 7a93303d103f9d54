/// A value of a document with all that an error about it has to say.
struct Field {
  let node: JSONNode
  let path: FieldPath
  let source: SourceText

  /// An error about this value, shown where it begins.
  func error(_ message: String) -> RecipeError {
    source.error(at: node.offset, in: path, message)
  }

  /// An error for a value of the wrong kind.
  func mismatch(_ expected: String) -> RecipeError {
    error("expected \(expected), not \(node.value.summary)")
  }

  /// This field, or `nil` where its value is null.
  var unlessNull: Field? {
    if case .null = node.value { nil } else { self }
  }

  /// The value as text.
  func text(_ expected: String = "text") throws(RecipeError) -> String {
    guard case .text(let text) = node.value else { throw mismatch(expected) }
    return text
  }

  /// The value as true or false.
  func flag() throws(RecipeError) -> Bool {
    guard case .flag(let flag) = node.value else { throw mismatch("true or false") }
    return flag
  }

  /// The value as a number within `range`.
  func number(in range: ClosedRange<Double>) throws(RecipeError) -> Double {
    guard case .number(let number) = node.value else { throw mismatch("a number") }
    guard range.contains(number) else {
      let bounds = "\(canonicalNumber(range.lowerBound)) to \(canonicalNumber(range.upperBound))"
      throw error("\(canonicalNumber(number)) is out of range; it goes from \(bounds)")
    }
    return number == 0 ? 0 : number  // -0 is 0, so that equal recipes are written alike
  }

  /// The value as a whole number within `range`.
  func wholeNumber(in range: ClosedRange<Int>) throws(RecipeError) -> Int {
    let number = try number(in: Double(range.lowerBound)...Double(range.upperBound))
    guard let whole = Int(exactly: number) else { throw mismatch("a whole number") }
    return whole
  }

  /// The value as one of a few whole numbers.
  func number(among choices: [Int]) throws(RecipeError) -> Int {
    let names = choices.map(String.init).joined(separator: " or ")
    guard case .number(let number) = node.value else { throw mismatch(names) }
    guard let choice = choices.first(where: { Double($0) == number }) else {
      throw error("\(canonicalNumber(number)) is not possible here; give \(names)")
    }
    return choice
  }

  /// The elements of the list, at most `limit` of them.
  ///
  /// With `orLone`, a value that is no list stands for a list of one.
  func elements(atMost limit: Int, orLone: Bool = false) throws(RecipeError) -> [Field] {
    guard case .list(let nodes) = node.value else {
      if orLone, unlessNull != nil { return [self] }
      throw mismatch("a list")
    }
    guard nodes.count <= limit else {
      throw error("a list of \(nodes.count); \(limit) is the most")
    }
    return nodes.indices.map {
      Field(node: nodes[$0], path: path.appending(index: $0), source: source)
    }
  }

  /// The members of the object, with the offset of each name.
  func members() throws(RecipeError) -> [(name: String, nameOffset: Int, field: Field)] {
    guard case .object(let members) = node.value else { throw mismatch("an object in braces {}") }
    return members.map { member in
      let field = Field(
        node: member.node, path: path.appending(field: member.name), source: source)
      return (member.name, member.nameOffset, field)
    }
  }
}

/// The fields of an object whose names are known: the raw values of `Name`.
struct Fields<Name: RawRepresentable<String> & CaseIterable> {
  private let fields: [String: Field]

  /// Takes an object apart.
  ///
  /// - Throws: `RecipeError` when it is no object, or has a field that is not among the names.
  init(of object: Field, named: Name.Type) throws(RecipeError) {
    var fields: [String: Field] = [:]
    for (name, nameOffset, field) in try object.members() {
      guard Name(rawValue: name) != nil else {
        let hint = suggestion(for: name, among: Name.allCases.map(\.rawValue))
        throw object.source.error(at: nameOffset, in: field.path, "unknown field\(hint)")
      }
      fields[name] = field
    }
    self.fields = fields
  }

  /// The field called `name`, or `nil` where the object does not give it.
  subscript(name: Name) -> Field? { fields[name.rawValue] }
}
