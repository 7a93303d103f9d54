/// One option, flag or argument of a command: how help shows it, and where its values go.
struct Parameter {
  enum Kind {
    case option
    case flag
    case argument
  }

  let kind: Kind
  /// Empty for an argument.
  let names: [ParameterName]
  let traits: ParameterTraits
  /// What stands for its value in help.
  let valueName: String
  /// Takes one value as it was typed; a flag takes an empty one.
  let accept: (String) throws -> Void

  /// The name that messages use.
  var displayName: String {
    kind == .argument ? "<\(valueName)>" : names.last.map(\.description) ?? ""
  }
}

/// What a declaration says about a parameter.
struct ParameterTraits: Sendable {
  var names: NameSpecification = .long
  var help: String
  var valueName: String?
  var isHidden = false
  /// Whether it must be given at least once.
  var isRequired = false
  /// Whether it may be given more than once, each adding a value.
  var isRepeating = false
  /// The value it has when it is not given, for help.
  var defaultText: String?
  /// All values there are, when there are few.
  var allowedValues: [String] = []
}

/// A property wrapper that `Parameter.all(of:)` finds.
protocol ParameterSource {
  func parameters(label: String) -> [Parameter]
  /// Checks the values once all are there.
  func validate() throws
}

extension ParameterSource {
  func validate() throws {}
}

extension Parameter {
  /// The parameters that a value's properties declare, in order.
  static func all(of value: Any) -> [Parameter] {
    Mirror(reflecting: value).children.flatMap { child -> [Parameter] in
      guard let source = child.value as? any ParameterSource else { return [] }
      // The storage of a wrapped property is called `_name`.
      return source.parameters(label: String((child.label ?? "").drop { $0 == "_" }))
    }
  }

  /// Checks the option groups among a value's properties.
  static func validateGroups(of value: Any) throws {
    for child in Mirror(reflecting: value).children {
      try (child.value as? any ParameterSource)?.validate()
    }
  }
}

/// The value of a wrapped property.
///
/// A reference, so that the parser can fill it in from outside.
final class Storage<Value> {
  var value: Value?
  /// Whether the value comes from the command line.
  var isGiven = false

  init(_ value: Value?) { self.value = value }

  /// - Precondition: the command was parsed.
  var current: Value {
    guard let value else { preconditionFailure("an option or argument was read before parsing") }
    return value
  }
}

/// Reads a value, or says what it should have been.
func parse<T: ExpressibleByArgument>(_ text: String) throws -> T {
  if let value = T(argument: text) { return value }
  throw UsageError(
    "'\(text)' is not \(T.expectation)",
    suggestion: Suggestion.nearest(to: text, among: T.allValueStrings))
}
