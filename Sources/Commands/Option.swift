/// A value that is given by name: `--output out`, `--output=out`, `-o out` or `-oout`.
///
/// Without a default value it must be given; an optional is `nil`, and an array gathers the values of
/// all times it is given. Given twice, the last value of a single one counts.
@propertyWrapper
public struct Option<Value> {
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

extension Option: ParameterSource {
  func parameters(label: String) -> [Parameter] {
    [
      Parameter(
        kind: .option, names: traits.names.names(for: label), traits: traits,
        valueName: traits.valueName ?? hyphenated(label),
        accept: { [storage, accept] in try accept($0, storage) })
    ]
  }
}

extension Option where Value: ExpressibleByArgument {
  /// Declares an option with a default.
  public init(
    wrappedValue: Value, name: NameSpecification = .long, help: String, valueName: String? = nil,
    hidden: Bool = false
  ) {
    let traits = ParameterTraits(
      names: name, help: help, valueName: valueName, isHidden: hidden,
      defaultText: wrappedValue.defaultValueDescription, allowedValues: Value.allValueStrings)
    self.init(wrappedValue, traits) { $1.value = try parse($0) }
  }

  /// Declares an option that must be given.
  public init(
    name: NameSpecification = .long, help: String, valueName: String? = nil, hidden: Bool = false
  ) {
    let traits = ParameterTraits(
      names: name, help: help, valueName: valueName, isHidden: hidden, isRequired: true,
      allowedValues: Value.allValueStrings)
    self.init(nil, traits) { $1.value = try parse($0) }
  }
}

extension Option {
  /// Declares an option that need not be given.
  public init<T: ExpressibleByArgument>(
    wrappedValue: T? = nil, name: NameSpecification = .long, help: String,
    valueName: String? = nil, hidden: Bool = false
  ) where Value == T? {
    let traits = ParameterTraits(
      names: name, help: help, valueName: valueName, isHidden: hidden,
      defaultText: wrappedValue?.defaultValueDescription, allowedValues: T.allValueStrings)
    self.init(.some(wrappedValue), traits) { $1.value = .some(try parse($0)) }
  }

  /// Declares an option that may be given many times; the default counts when it never is.
  public init<T: ExpressibleByArgument>(
    wrappedValue: [T], name: NameSpecification = .long, help: String, valueName: String? = nil,
    hidden: Bool = false
  ) where Value == [T] {
    let shown = wrappedValue.map(\.defaultValueDescription).joined(separator: ", ")
    let traits = ParameterTraits(
      names: name, help: help, valueName: valueName, isHidden: hidden, isRepeating: true,
      defaultText: shown.isEmpty ? nil : shown, allowedValues: T.allValueStrings)
    self.init(wrappedValue, traits) { $1.append(try parse($0)) }
  }

  /// Declares an option with a default whose text `transform` reads; its errors are shown.
  public init(
    wrappedValue: Value, name: NameSpecification = .long, help: String, valueName: String? = nil,
    hidden: Bool = false, transform: @escaping (String) throws -> Value
  ) {
    let traits = ParameterTraits(
      names: name, help: help, valueName: valueName, isHidden: hidden,
      defaultText: "\(wrappedValue)")
    self.init(wrappedValue, traits) { $1.value = try transform($0) }
  }

  /// Declares an option that need not be given whose text `transform` reads; its errors are shown.
  public init<T>(
    name: NameSpecification = .long, help: String, valueName: String? = nil, hidden: Bool = false,
    transform: @escaping (String) throws -> T
  ) where Value == T? {
    let traits = ParameterTraits(
      names: name, help: help, valueName: valueName, isHidden: hidden)
    self.init(.some(nil), traits) { $1.value = .some(try transform($0)) }
  }
}

extension Storage {
  /// Adds to what was given before, or begins anew in place of the default.
  func append<T>(_ element: T) where Value == [T] {
    // In place: to copy the list for each of 10,000 inputs takes longer than to submit them.
    if isGiven { value?.append(element) } else { value = [element] }
    isGiven = true
  }
}
