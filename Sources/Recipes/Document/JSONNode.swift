/// A JSON value that knows where in its document it begins.
struct JSONNode {
  let value: JSONValue

  /// The byte offset of the value's first character in the ``SourceText``.
  let offset: Int
}

/// What a JSON value is.
enum JSONValue {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONNode])
  /// The members in the document's order; their names differ from each other.
  case object([JSONMember])

  /// The value in the words of an error message, such as `the text "0.5"`.
  var summary: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): "the number \(canonicalNumber(number))"
    case .text(let text): "the text \(quoted(text))"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// One field of a JSON object.
struct JSONMember {
  let name: String

  /// The byte offset of the name's opening quote in the ``SourceText``.
  let nameOffset: Int

  let node: JSONNode
}
