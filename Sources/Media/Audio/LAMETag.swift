/// What the first frame of an MP3 file says about the others instead of sound: how many there are, and
/// what the encoder has put around the track.
///
/// The layout is that of Xing's header with LAME's extension (Gabriel Bouvigne, "Mp3 Info Tag revision 1").
struct LAMETag: Equatable {
  /// Samples before the sound that the decoder gives; of the tag's own frame it makes none.
  let delay: Int
  /// Samples of the sound.
  let sampleCount: Int

  /// Where the encoder's name is, in bytes from the frame's start; nobody believes the rest without one.
  let encoderName: Range<Int>

  /// Reads the tag in the first ``reach`` bytes of a frame; nil where there is none, or it does not tell
  /// the length.
  init?(_ frame: ArraySlice<UInt8>) {
    guard let header = MPEGAudioHeader(frame), Self.isInFrame(frame) else { return nil }
    let tag = frame.dropFirst(4 + header.sideInfoSize)
    guard tag.count >= Self.size else { return nil }
    func number(_ place: Int, _ count: Int) -> Int {
      tag.dropFirst(place).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
    // Which fields there are: frames, bytes, table of contents, quality.
    let fields = number(4, 4)
    guard fields & 1 != 0 else { return nil }
    let place =
      8 + 4 + (fields & 2 != 0 ? 4 : 0) + (fields & 4 != 0 ? 100 : 0)
      + (fields & 8 != 0 ? 4 : 0)
    let encoder = tag.dropFirst(place)
    let isKnown = ["LAME", "Lavf", "Lavc"].contains { encoder.starts(with: $0.utf8) }
    guard isKnown else { return nil }
    let nameStart = 4 + header.sideInfoSize + place
    encoderName = nameStart..<nameStart + 9
    let (start, end) = (number(place + 21, 3) >> 12, number(place + 21, 3) & 0xFFF)
    delay = start + Self.decoderDelay
    sampleCount = number(8, 4) * header.samplesPerFrame - start - end
    guard sampleCount > 0 else { return nil }
  }

  /// Whether a frame has Xing's header instead of sound, whatever else that says.
  static func isInFrame(_ frame: ArraySlice<UInt8>) -> Bool {
    guard let header = MPEGAudioHeader(frame), header.layer == 3 else { return false }
    let tag = frame.dropFirst(4 + header.sideInfoSize)
    return tag.starts(with: "Xing".utf8) || tag.starts(with: "Info".utf8)
  }

  /// Samples by which every decoder of the format is late.
  static let decoderDelay = 529

  /// Bytes of a frame to find it in.
  static let reach = 4 + 32 + size
  /// Bytes of the tag at most.
  private static let size = 8 + 4 + 4 + 100 + 4 + 24
}
