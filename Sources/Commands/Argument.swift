/// A value that is given by its place.
///
/// Without a default value it must be given; an optional is `nil`, and an array, which comes last,
/// takes all that follow: at least one unless it has a default.
@propertyWrapper
public struct Argument<Value> {
  private let storage: Storage<Value>
  private let traits: ParameterTraits
  private let accept: (String, Storage<Value>) throws -> Void

  /// The value.
  public var wrappedValue: Value {
    get { storage.current }
    nonmutating set { storage.value = newValue }
  }

  private init(
    _ value: Value?, _ traits: ParameterTraits,
    accept: @escaping (String, Storage<Value>) throws -> Void
  ) {
    storage = Storage(value)
    self.traits = traits
    self.accept = accept
  }
}

extension Argument: ParameterSource {
  func parameters(label: String) -> [Parameter] {
    [
      Parameter(
        kind: .argument, names: [], traits: traits,
        valueName: traits.valueName ?? hyphenated(label),
        accept: { [storage, accept] in try accept($0, storage) })
    ]
  }
}

extension Argument where Value: ExpressibleByArgument {
  /// Declares an argument with a default.
  public init(wrappedValue: Value, help: String, valueName: String? = nil) {
    let traits = ParameterTraits(
      help: help, valueName: valueName, defaultText: wrappedValue.defaultValueDescription,
      allowedValues: Value.allValueStrings)
    self.init(wrappedValue, traits) { $1.value = try parse($0) }
  }

  /// Declares an argument that must be given.
  public init(help: String, valueName: String? = nil) {
    let traits = ParameterTraits(
      help: help, valueName: valueName, isRequired: true, allowedValues: Value.allValueStrings)
    self.init(nil, traits) { $1.value = try parse($0) }
  }
}

extension Argument {
  /// Declares an argument that need not be given.
  public init<T: ExpressibleByArgument>(
    wrappedValue: T? = nil, help: String, valueName: String? = nil
  ) where Value == T? {
    let traits = ParameterTraits(
      help: help, valueName: valueName, defaultText: wrappedValue?.defaultValueDescription,
      allowedValues: T.allValueStrings)
    self.init(.some(wrappedValue), traits) { $1.value = .some(try parse($0)) }
  }

  /// Declares all arguments that follow, at least one.
  public init<T: ExpressibleByArgument>(
    help: String, valueName: String? = nil
  ) where Value == [T] {
    let traits = ParameterTraits(
      help: help, valueName: valueName, isRequired: true, isRepeating: true,
      allowedValues: T.allValueStrings)
    self.init([], traits) { $1.append(try parse($0)) }
  }

  /// Declares all arguments that follow, which may be none.
  public init<T: ExpressibleByArgument>(
    wrappedValue: [T], help: String, valueName: String? = nil
  ) where Value == [T] {
    let shown = wrappedValue.map(\.defaultValueDescription).joined(separator: ", ")
    let traits = ParameterTraits(
      help: help, valueName: valueName, isRepeating: true,
      defaultText: shown.isEmpty ? nil : shown, allowedValues: T.allValueStrings)
    self.init(wrappedValue, traits) { $1.append(try parse($0)) }
  }
}
