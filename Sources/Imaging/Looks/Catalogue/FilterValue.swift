/// A filter parameter's value: a number, a word, or a list of values (a colour, a point, a curve).
public enum FilterValue: Hashable, Sendable {
  /// One number.
  case number(Double)
  /// One word.
  case text(String)
  /// Several values in order.
  case list([FilterValue])

  /// The number, where it is one.
  public var number: Double? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  /// The word, where it is one.
  public var text: String? {
    guard case .text(let word) = self else { return nil }
    return word
  }

  /// The elements, where it is a list.
  var elements: [FilterValue]? {
    guard case .list(let values) = self else { return nil }
    return values
  }

  /// The numbers of a flat list; `nil` for anything else.
  public var numbers: [Double]? {
    guard case .list(let values) = self else { return nil }
    let numbers = values.compactMap(\.number)
    return numbers.count == values.count ? numbers : nil
  }
}

extension FilterValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// Makes a word.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Makes a list.
  public init(arrayLiteral elements: FilterValue...) { self = .list(elements) }
}

extension FilterValue: CustomStringConvertible {
  /// The value as in a recipe: `0.5`, `[1, 0, 1]`, `"rgb"`; whole numbers without a fraction.
  public var description: String {
    switch self {
    case .number(let value):
      if let whole = Int(exactly: value) { "\(whole)" } else { "\(value)" }
    case .text(let word): "\"\(word)\""
    case .list(let values):
      "[" + values.map(\.description).joined(separator: ", ") + "]"
    }
  }
}
