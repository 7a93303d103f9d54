/// A value that can be written on a command line.
public protocol ExpressibleByArgument {
  /// Reads the value; `nil` when the text means none.
  init?(argument: String)
  /// What the text must be, to follow "is not": such as `a whole number`.
  static var expectation: String { get }
  /// All texts that are allowed, when there are few; help lists them. Empty by default.
  static var allValueStrings: [String] { get }
  /// The value as one would write it, for help.
  var defaultValueDescription: String { get }
}

extension ExpressibleByArgument {
  /// The list of what is allowed, or `a valid value`.
  public static var expectation: String {
    allValueStrings.isEmpty
      ? "a valid value" : "one of " + allValueStrings.joined(separator: ", ")
  }

  /// None to list.
  public static var allValueStrings: [String] { [] }

  /// The value's description.
  public var defaultValueDescription: String { "\(self)" }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
  /// Reads the raw value.
  public init?(argument: String) {
    guard let raw = RawValue(argument: argument) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value as one would write it.
  public var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension ExpressibleByArgument
where Self: CaseIterable & RawRepresentable, RawValue: ExpressibleByArgument {
  /// The raw values of all cases, in order.
  public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension String: ExpressibleByArgument {
  /// Takes the text as it is.
  public init?(argument: String) { self = argument }
}

extension Int: ExpressibleByArgument {
  /// Reads a decimal number.
  public init?(argument: String) { self.init(argument) }
  /// A whole number.
  public static var expectation: String { "a whole number" }
}

extension Int64: ExpressibleByArgument {
  /// Reads a decimal number.
  public init?(argument: String) { self.init(argument) }
  /// A whole number.
  public static var expectation: String { "a whole number" }
}

extension Double: ExpressibleByArgument {
  /// Reads a finite decimal number.
  public init?(argument: String) {
    guard let value = Double(argument), value.isFinite else { return nil }
    self = value
  }

  /// A number.
  public static var expectation: String { "a number" }
}
