import FFmpeg

/// Finds where MP3 files were joined by writing one behind the other: with the tags of each, and what
/// its encoder has written into its first frame, among the sound.
struct JoinedMP3 {
  private var hasBegun = false
  /// How often another file has begun.
  private(set) var joints = 0

  /// Takes what is no sound out of the beginning of a track's next packet.
  ///
  /// - Returns: Whether there is sound in it.
  mutating func clean(_ packet: Packet) -> Bool {
    defer { hasBegun = true }
    guard hasBegun else { return true }
    let tag = packet.withBytes { Self.tagSize($0) }
    guard tag < packet.size else { return false }
    packet.dropFirst(tag)
    let isInfo = packet.withBytes { Self.isInfo($0) }
    if tag > 0 || isInfo { joints += 1 }
    return !isInfo
  }

  /// Whether a frame tells of the others, instead of being sound.
  private static func isInfo(_ bytes: borrowing Span<UInt8>) -> Bool {
    // Where the name can be. Nearly no frame of sound has its first letter there, and nearly all are sound.
    let isCandidate = [13, 21, 36].contains {
      $0 < bytes.count && [UInt8(ascii: "X"), UInt8(ascii: "I")].contains(bytes[$0])
    }
    guard isCandidate else { return false }
    return LAMETag.isInFrame((0..<min(bytes.count, LAMETag.reach)).map { bytes[$0] }[...])
  }

  /// Bytes of the tags that a packet begins with, ID3v1 and ID3v2.
  ///
  /// FFmpeg hands over what lies between two frames together with the second.
  static func tagSize(_ bytes: borrowing Span<UInt8>) -> Int {
    func number(_ place: Int, _ count: Int, bits: Int) -> Int {
      (place..<place + count).reduce(0) { $0 << bits | Int(bytes[$1]) }
    }
    var size = 0
    while size + 10 <= bytes.count {
      let name = number(size, 3, bits: 8)
      if name == 0x49_4433 {
        // "ID3": seven bits a byte (id3.org, ID3v2.4.0 structure, section 3.1).
        size += 10 + number(size + 6, 4, bits: 7) + (bytes[size + 5] & 0x10 != 0 ? 10 : 0)
      } else if name == 0x54_4147 {
        // "TAG"
        size += 128
      } else {
        break
      }
    }
    return min(size, bytes.count)
  }
}
