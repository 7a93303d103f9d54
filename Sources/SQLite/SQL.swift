/// The text of a statement, as a literal, with the hash that finds its prepared form.
///
/// Hashing a text of 200 bytes takes as long as a tenth of running it; one kept in a `static let` is
/// hashed once.
public struct SQL: Hashable, Sendable {
  /// The text.
  public let text: String
  private let hash: Int

  /// Takes a text that is no literal.
  public init(_ text: String) {
    self.text = text
    hash = text.hashValue
  }

  /// Compares the texts.
  public static func == (a: SQL, b: SQL) -> Bool { a.text == b.text }

  /// Feeds the hash of the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension SQL: ExpressibleByStringInterpolation {
  /// Takes the text of a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

extension SQL: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
