/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers for the same seed.
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Makes the generator of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// The next byte.
  public mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}
