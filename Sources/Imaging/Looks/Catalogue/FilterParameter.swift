/// The declaration of one parameter of a filter.
public struct FilterParameter: Hashable, Sendable {
  /// What form a value has.
  public enum Kind: Hashable, Sendable {
    /// One number.
    case number
    /// One whole number.
    case integer
    /// One of these words.
    case choice([String])
    /// A list of this many numbers, such as the three channels of a colour.
    case vector(count: Int)
    /// A list of points, each a list of two numbers.
    case curve

    /// The form in words, for an error message.
    var phrase: String {
      switch self {
      case .number: "a number"
      case .integer: "a whole number"
      case .choice(let words): "one of " + words.joined(separator: ", ")
      case .vector(let count): "a list of \(count) numbers"
      case .curve: "a list of at least 2 points [in, out]"
      }
    }
  }

  /// The name in a recipe.
  public let name: String
  /// The form of a value.
  public let kind: Kind
  /// The value that is taken where none is given; `nil` where that depends on the picture.
  public let defaultValue: FilterValue?
  /// The least and greatest number allowed; infinite where there is no limit.
  public let range: ClosedRange<Double>
  /// What the number counts, such as `factor` or `chroma distance`.
  public let unit: String
  /// What the parameter does, in one line; empty where its name and unit say it.
  public let summary: String

  /// Declares a number; without a default the filter finds one by the picture.
  static func number(
    _ name: String, default value: Double?, in range: ClosedRange<Double>, unit: String,
    _ summary: String = ""
  ) -> FilterParameter {
    FilterParameter(
      name: name, kind: .number, defaultValue: value.map { .number($0) }, range: range, unit: unit,
      summary: summary)
  }

  /// Declares a number with a lower limit only.
  static func number(
    _ name: String, default value: Double, from least: Double, unit: String,
    _ summary: String = ""
  ) -> FilterParameter {
    .number(name, default: value, in: least...(.infinity), unit: unit, summary)
  }

  /// Declares a whole number.
  static func integer(
    _ name: String, default value: Int, in range: ClosedRange<Int>, unit: String,
    _ summary: String = ""
  ) -> FilterParameter {
    FilterParameter(
      name: name, kind: .integer, defaultValue: .number(Double(value)),
      range: Double(range.lowerBound)...Double(range.upperBound), unit: unit, summary: summary)
  }

  /// Declares a switch: 0 or 1.
  static func flag(
    _ name: String, default value: Bool, unit: String, _ summary: String = ""
  ) -> FilterParameter {
    .integer(name, default: value ? 1 : 0, in: 0...1, unit: unit, summary)
  }

  /// Declares a word of several, of which the first is the default.
  static func choice(
    _ name: String, of words: [String], unit: String, _ summary: String = ""
  ) -> FilterParameter {
    FilterParameter(
      name: name, kind: .choice(words), defaultValue: words.first.map { .text($0) },
      range: -Double.infinity...Double.infinity, unit: unit, summary: summary)
  }

  /// Declares a list of numbers, as many as the default has.
  static func vector(
    _ name: String, default values: [FilterValue],
    in range: ClosedRange<Double> = -Double.infinity...Double.infinity, unit: String,
    _ summary: String = ""
  ) -> FilterParameter {
    FilterParameter(
      name: name, kind: .vector(count: values.count), defaultValue: .list(values), range: range,
      unit: unit, summary: summary)
  }

  /// Declares a colour of channels 0…1: three, or four with alpha.
  static func color(
    _ name: String, default color: [FilterValue], _ summary: String = ""
  ) -> FilterParameter {
    .vector(
      name, default: color, in: 0...1,
      unit: color.count == 4 ? "red, green, blue, alpha" : "red, green, blue", summary)
  }

  /// Declares a place in the picture: 0, 0 is its top left corner and 1, 1 the bottom right one.
  static func point(
    _ name: String, default point: [FilterValue] = [0.5, 0.5], _ summary: String = ""
  ) -> FilterParameter {
    .vector(name, default: point, in: 0...1, unit: "fractions of width and height", summary)
  }

  /// Declares a curve by points 0…1; the default is the straight line.
  static func curve(_ name: String, _ summary: String = "") -> FilterParameter {
    FilterParameter(
      name: name, kind: .curve, defaultValue: [[0, 0], [0.5, 0.5], [1, 1]], range: 0...1,
      unit: "points [in, out]", summary: summary)
  }

  /// Whether `value` has the parameter's form, and all of its numbers are finite.
  func matches(_ value: FilterValue) -> Bool {
    switch kind {
    case .number: value.number?.isFinite ?? false
    case .integer: value.number.map { Int(exactly: $0) != nil } ?? false
    case .choice(let words): value.text.map(words.contains) ?? false
    case .vector(let count): Self.isList(value, of: count)
    case .curve:
      value.elements.map { $0.count > 1 && $0.allSatisfy { Self.isList($0, of: 2) } }
        ?? false
    }
  }

  /// Whether all numbers of a value of the right form lie in the range.
  func contains(_ value: FilterValue) -> Bool {
    switch value {
    case .number(let number): range.contains(number)
    case .list(let values): values.allSatisfy(contains)
    case .text: true
    }
  }

  private static func isList(_ value: FilterValue, of count: Int) -> Bool {
    value.numbers.map { $0.count == count && $0.allSatisfy(\.isFinite) } ?? false
  }
}
