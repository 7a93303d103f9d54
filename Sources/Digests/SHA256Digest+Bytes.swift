extension SHA256Digest {
  /// How many bytes a digest has.
  public static let byteCount = 32

  /// The digest as 32 bytes, for where digits would be too long.
  public var bytes: [UInt8] {
    (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> (56 - 8 * ($0 % 8))) }
  }

  /// Takes 32 bytes; `nil` for any other number of them.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: [4 of UInt64] = .init(repeating: 0)
    for index in bytes.indices { words[index / 8] = words[index / 8] << 8 | UInt64(bytes[index]) }
    self.init(words)
  }
}
