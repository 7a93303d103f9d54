public import Imaging

/// What a PNG's samples are, all of 8 bits.
public enum PNGColorType: UInt8, Hashable, Sendable {
  /// One grey sample a pixel.
  case gray = 0
  /// Red, green, blue.
  case rgb = 2
  /// Red, green, blue and straight alpha.
  case rgba = 6

  /// Samples, and so bytes, a pixel.
  public var channels: Int {
    switch self {
    case .gray: 1
    case .rgb: 3
    case .rgba: 4
    }
  }
}

/// How hard a PNG is compressed.
public enum PNGCompression: Hashable, Sendable {
  /// ISA-L's igzip at level 1 on rows filtered by "up": made for speed.
  case fast
  /// libdeflate at a level 1…12 on rows filtered by the best guess: made for size.
  case small(level: Int)
}
