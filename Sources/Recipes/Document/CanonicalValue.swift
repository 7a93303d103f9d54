/// A JSON value on its way out, in the one form that equal values share.
///
/// Members are sorted by name, there is no white space, only what must be escaped is, and a number
/// is the shortest that reads back as the same double.
enum CanonicalValue {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([CanonicalValue])
  case object([String: CanonicalValue])

  /// The number, or null where there is none.
  static func number(orNull number: Double?) -> CanonicalValue {
    number.map { .number($0) } ?? .null
  }

  /// The shortest number that reads back as the same `Float`: 0.15, not 0.15000000596046448.
  static func number(_ number: Float) -> CanonicalValue {
    .number(Double(number.description) ?? Double(number))
  }

  /// The text, or null where there is none.
  static func text(orNull text: String?) -> CanonicalValue {
    text.map { .text($0) } ?? .null
  }

  /// A list of the names of `cases`.
  static func names(_ cases: [some RawRepresentable<String>]) -> CanonicalValue {
    .list(cases.map { .text($0.rawValue) })
  }

  /// An object whose members are called by the raw values of `values`' keys.
  static func object<Name: RawRepresentable<String> & Hashable>(
    of values: [Name: CanonicalValue]
  ) -> CanonicalValue {
    .object(Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }))
  }

  /// The value as JSON text.
  var json: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): canonicalNumber(number)
    case .text(let text): escaped(text)
    case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
    case .object(let members): "{\(Self.json(of: members).joined(separator: ","))}"
    }
  }

  private static func json(of members: [String: CanonicalValue]) -> [String] {
    members.sorted { $0.key < $1.key }.map { "\(escaped($0.key)):\($0.value.json)" }
  }
}

/// The shortest JSON number that reads back as `number`, without a fraction where it has none.
func canonicalNumber(_ number: Double) -> String {
  // Doubles are exact integers up to 2⁵³; beyond, the exponent form is shorter.
  guard number == number.rounded(), abs(number) < 0x1p53 else { return number.description }
  return Int64(number).description
}

private func escaped(_ text: String) -> String {
  var json = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": json += "\\\""
    case "\\": json += "\\\\"
    case "\n": json += "\\n"
    case "\r": json += "\\r"
    case "\t": json += "\\t"
    case "\u{00}"..<"\u{20}":
      let digits = String(scalar.value, radix: 16)
      json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: json.unicodeScalars.append(scalar)
    }
  }
  return json + "\""
}
