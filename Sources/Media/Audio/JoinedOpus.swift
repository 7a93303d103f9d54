import FFmpeg

/// Finds where Opus files were joined by writing one behind the other (chained Ogg, RFC 3533): FFmpeg
/// hands over the headers of the second as if they were sound.
struct JoinedOpus {
  private var preSkip: Int?
  private var hasBegun = false
  /// How often another file has begun.
  private(set) var joints = 0

  /// Takes the headers out of a track, and marks the first packet behind them with the samples that are
  /// before its sound.
  ///
  /// - Returns: Whether the packet is sound.
  mutating func clean(_ packet: Packet) throws(FFmpegError) -> Bool {
    defer { hasBegun = true }
    let header = packet.withBytes { Self.header($0) }
    switch header {
    case .head(let count):
      if hasBegun { joints += 1 }
      preSkip = count
      return false
    case .tags: return false
    case nil:
      if let leading = preSkip.take() {
        try packet.setPadding(SamplePadding(leading: leading, trailing: packet.padding.trailing))
      }
      return true
    }
  }

  private enum Header {
    /// With the pre-skip, in samples at 48 kHz.
    case head(Int)
    case tags
  }

  /// What a packet is by its first eight bytes (RFC 7845, section 5).
  private static func header(_ bytes: borrowing Span<UInt8>) -> Header? {
    guard bytes.count >= 16 else { return nil }
    let name = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
    switch name {
    // "OpusHead"
    case 0x4F70_7573_4865_6164: return .head(Int(bytes[10]) | Int(bytes[11]) << 8)
    // "OpusTags"
    case 0x4F70_7573_5461_6773: return .tags
    default: return nil
    }
  }
}
