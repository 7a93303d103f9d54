/// A switch that is on when it is given: `--json`, `-j`.
@propertyWrapper
public struct Flag {
  private let storage: Storage<Bool>
  private let traits: ParameterTraits

  /// Whether it is on.
  public var wrappedValue: Bool {
    get { storage.current }
    nonmutating set { storage.value = newValue }
  }

  /// Declares a flag that is off unless it is given.
  public init(
    wrappedValue: Bool = false, name: NameSpecification = .long, help: String,
    hidden: Bool = false
  ) {
    precondition(!wrappedValue, "a flag that is on already cannot be given")
    storage = Storage(false)
    traits = ParameterTraits(names: name, help: help, isHidden: hidden)
  }
}

extension Flag: ParameterSource {
  func parameters(label: String) -> [Parameter] {
    [
      Parameter(
        kind: .flag, names: traits.names.names(for: label), traits: traits, valueName: "",
        accept: { [storage] _ in storage.value = true })
    ]
  }
}

/// Options that several commands share, declared once in a type of their own.
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments> {
  /// The options with their values.
  public var wrappedValue: Value

  /// Adds the options of `Value` to the command's own.
  public init() { wrappedValue = Value() }
}

extension OptionGroup: ParameterSource {
  func parameters(label: String) -> [Parameter] { Parameter.all(of: wrappedValue) }

  func validate() throws {
    // The values are behind references, which the copy shares.
    var group = wrappedValue
    try group.validate()
  }
}
