/// A value that a recipe picks by name, such as a format.
///
/// The cases are what this version makes. The rest of what recipes will be able to say stands in
/// ``announced``, is recognised and refused; to make one of them is to move its name to a case, and
/// the compiler then finds every `switch` that has to carry it.
protocol NamedChoice: RawRepresentable<String>, CaseIterable, Hashable {
  /// Names of the recipe format that this version does not make yet.
  static var announced: [String] { get }
}

extension NamedChoice {
  static var announced: [String] { [] }

  private static var made: [String] { allCases.map(\.rawValue) }

  /// Reads one choice.
  init(_ field: Field) throws(RecipeError) {
    let name = try field.text(enumerated(Self.made, with: "or"))
    if let choice = Self(rawValue: name) {
      self = choice
    } else if Self.announced.contains(name) {
      throw field.error(
        "this version does not make \(quoted(name)) yet, only \(enumerated(Self.made))")
    } else {
      let hint = suggestion(for: name, among: Self.made + Self.announced)
      throw field.error("\(quoted(name)) is not known here\(hint)")
    }
  }

  /// Reads a list of choices, or a lone one, into the order of the cases without repetitions.
  ///
  /// The order and repetitions mean nothing, so recipes that differ in them only are equal.
  static func list(_ field: Field) throws(RecipeError) -> [Self] {
    var chosen: Set<Self> = []
    for element in try field.elements(atMost: 100, orLone: true) {
      chosen.insert(try Self(element))
    }
    guard !chosen.isEmpty else {
      throw field.error("the list is empty; it takes \(enumerated(made, with: "or"))")
    }
    return allCases.filter(chosen.contains)
  }
}
