/// By which names an option or a flag is called; long ones are made from the property's name.
public struct NameSpecification: ExpressibleByArrayLiteral, Sendable {
  enum Part: Sendable {
    case long
    case short
    case custom(ParameterName)
  }

  let parts: [Part]

  /// Several names; help shows short ones first.
  public init(arrayLiteral elements: NameSpecification...) {
    parts = elements.flatMap(\.parts)
  }

  private init(_ parts: Part...) { self.parts = parts }

  /// `--property-name`.
  public static var long: NameSpecification { NameSpecification(.long) }
  /// `-p`, the first letter of the property's name.
  public static var short: NameSpecification { NameSpecification(.short) }
  /// Both.
  public static var shortAndLong: NameSpecification { NameSpecification(.long, .short) }

  /// `--name`.
  public static func customLong(_ name: String) -> NameSpecification {
    NameSpecification(.custom(.long(name)))
  }

  /// `-c`.
  public static func customShort(_ character: Character) -> NameSpecification {
    NameSpecification(.custom(.short(character)))
  }

  /// The names for a property.
  func names(for label: String) -> [ParameterName] {
    let hyphenated = hyphenated(label)
    let names = parts.map { part -> ParameterName in
      switch part {
      case .long: .long(hyphenated)
      case .short: .short(hyphenated.first ?? "?")
      case .custom(let name): name
      }
    }
    return names.filter(\.isShort) + names.filter { !$0.isShort }
  }
}

/// One name of an option or flag.
enum ParameterName: Hashable, Sendable, CustomStringConvertible {
  case long(String)
  case short(Character)

  var isShort: Bool {
    if case .short = self { true } else { false }
  }

  /// As it is typed.
  var description: String {
    switch self {
    case .long(let name): "--\(name)"
    case .short(let character): "-\(character)"
    }
  }
}

/// A property's name as it is typed on a command line: `maxAttempts` becomes `max-attempts`.
func hyphenated(_ label: String) -> String {
  label.reduce(into: "") { text, character in
    if character.isUppercase, !text.isEmpty { text += "-" }
    text += character.lowercased()
  }
}
