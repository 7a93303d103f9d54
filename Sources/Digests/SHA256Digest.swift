/// The SHA-256 of some bytes.
///
/// FIPS 180-4 (NIST, 2015), section 6.2.
public struct SHA256Digest: Hashable, Sendable {
  /// The digest as four big-endian words.
  let words: [4 of UInt64]

  init(_ words: [4 of UInt64]) { self.words = words }

  /// Reads 64 hexadecimal digits of either case; `nil` for anything else.
  public init?(hex: String) {
    guard hex.utf8.count == 64 else { return nil }
    var words: [4 of UInt64] = .init(repeating: 0)
    for (index, character) in hex.utf8.enumerated() {
      guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
      words[index / 16] = words[index / 16] << 4 | UInt64(digit)
    }
    self.words = words
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hex: String {
    words.indices.map { index in
      let digits = String(words[index], radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Whether all four words are the same.
  public static func == (a: SHA256Digest, b: SHA256Digest) -> Bool {
    a.words.indices.allSatisfy { a.words[$0] == b.words[$0] }
  }

  /// Feeds the four words.
  public func hash(into hasher: inout Hasher) {
    for index in words.indices { hasher.combine(words[index]) }
  }
}

extension SHA256Digest: LosslessStringConvertible {
  /// The same as `hex`.
  public var description: String { hex }

  /// The same as `init(hex:)`.
  public init?(_ description: String) { self.init(hex: description) }
}

extension SHA256Digest: Codable {
  /// Reads the digits from a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let digest = SHA256Digest(hex: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a SHA-256 has 64 hexadecimal digits")
    }
    self = digest
  }

  /// Writes the digits as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hex)
  }
}
