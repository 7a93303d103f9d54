/// The declaration of one parameter of a filter.
public struct FilterParameter: Hashable, Sendable {
  /// What form a value has.
  public enum Kind: Hashable, Sendable {
    /// One number.
    case number
    /// A list of this many numbers, such as the three channels of a colour.
    case vector(count: Int)

    /// The form in words, for an error message.
    var phrase: String {
      switch self {
      case .number: "a number"
      case .vector(let count): "a list of \(count) numbers"
      }
    }
  }

  /// The name in a recipe.
  public let name: String
  /// The form of a value.
  public let kind: Kind
  /// The value that is taken where none is given.
  public let defaultValue: FilterValue
  /// The least and greatest number allowed; infinite where there is no limit.
  public let range: ClosedRange<Double>
  /// What the number counts, such as `factor` or `chroma distance`.
  public let unit: String

  /// Declares a number.
  static func number(
    _ name: String, default value: Double, in range: ClosedRange<Double>, unit: String
  ) -> FilterParameter {
    FilterParameter(
      name: name, kind: .number, defaultValue: .number(value), range: range, unit: unit)
  }

  /// Declares an RGB colour of three channels 0…1.
  static func color(_ name: String, default color: [FilterValue]) -> FilterParameter {
    FilterParameter(
      name: name, kind: .vector(count: 3), defaultValue: .list(color), range: 0...1,
      unit: "red, green, blue")
  }

  /// Whether `value` has the parameter's form, and all of its numbers are finite.
  func matches(_ value: FilterValue) -> Bool {
    switch kind {
    case .number: value.number?.isFinite ?? false
    case .vector(let count):
      value.numbers.map { $0.count == count && $0.allSatisfy(\.isFinite) } ?? false
    }
  }

  /// Whether all numbers of a value of the right form lie in the range.
  func contains(_ value: FilterValue) -> Bool {
    (value.number.map { [$0] } ?? value.numbers ?? []).allSatisfy(range.contains)
  }
}
