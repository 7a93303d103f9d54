/// The four bytes that each frame of MPEG audio begins with (ISO/IEC 11172-3, section 2.4.1.3, and
/// 13818-3 for the halved rates).
struct MPEGAudioHeader: Equatable {
  /// The bytes as a number, the first the most significant.
  private let bits: UInt32

  /// Reads a header; nil where the four bytes are none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    bits = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    let isSynced = bits >> 21 == 0x7FF
    let isReserved = version == 1 || layerBits == 0 || rateIndex == 3 || bitRateIndex == 15
    guard isSynced, !isReserved else { return nil }
  }

  /// Bytes of the frame, header included; nil in a free format, whose frames do not tell.
  var frameSize: Int? {
    guard bitRateIndex > 0 else { return nil }
    let perSecond = Self.bitRates[bitRateRow][bitRateIndex - 1] * 1000
    let padding = Int(bits >> 9 & 1)
    switch layer {
    case 1: return (12 * perSecond / sampleRate + padding) * 4
    // Half as many samples as of the full rates, in the third layer only.
    case 3 where isHalved: return 72 * perSecond / sampleRate + padding
    default: return 144 * perSecond / sampleRate + padding
    }
  }

  /// Whether another frame can be of the same stream: version, layer and sample rate are alike.
  func isAlike(_ other: MPEGAudioHeader) -> Bool { (bits ^ other.bits) & 0xFFFE_0C00 == 0 }

  /// The layer, 1 to 3.
  var layer: UInt32 { 4 - layerBits }

  /// Samples of the frame, of each channel.
  var samplesPerFrame: Int {
    switch layer {
    case 1: 384
    case 3 where isHalved: 576
    default: 1152
    }
  }

  /// Bytes between the header and the main data of a frame of the third layer, without a checksum.
  var sideInfoSize: Int {
    let isMono = bits >> 6 & 3 == 3
    return isHalved ? (isMono ? 9 : 17) : (isMono ? 17 : 32)
  }

  private var version: UInt32 { bits >> 19 & 3 }
  private var layerBits: UInt32 { bits >> 17 & 3 }
  private var bitRateIndex: Int { Int(bits >> 12 & 15) }
  private var rateIndex: Int { Int(bits >> 10 & 3) }
  /// Whether it is of version 2 or 2.5.
  private var isHalved: Bool { version != 3 }

  private var sampleRate: Int {
    let full = [44_100, 48_000, 32_000][rateIndex]
    return version == 3 ? full : version == 2 ? full / 2 : full / 4
  }

  private var bitRateRow: Int {
    guard isHalved else { return Int(layer) - 1 }
    return layer == 1 ? 3 : 4
  }

  /// Kilobits a second by the index from 1: layers I to III, then layer I and layers II and III of the
  /// halved rates.
  private static let bitRates = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}
