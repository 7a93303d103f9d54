import FFmpeg

/// Holds back the last packet of an MP3 encoder, to say in it where the sound ends.
///
/// FFmpeg's encoder says so itself, but of no more than one frame, and LAME's padding may be longer by
/// 46 samples.
struct MP3Ending {
  private let frameSize: Int
  private var held: Packet?
  private var count = 0
  private var leading = 0

  /// Prepares for packets of so many samples.
  init(frameSize: Int) { self.frameSize = frameSize }

  /// Takes the next packet, which is left empty, and gives the one before.
  mutating func take(_ packet: Packet) throws -> Packet? {
    let before = held
    let own = try Packet()
    own.take(from: packet)
    if count == 0 { leading = own.padding.leading }
    count += 1
    held = own
    return before
  }

  /// Gives the last packet of a track of `samples` samples.
  mutating func finish(samples: Int) throws -> Packet? {
    defer { held = nil }
    guard let held else { return nil }
    let trailing = max(count * frameSize - leading - samples, 0)
    try held.setPadding(SamplePadding(leading: held.padding.leading, trailing: trailing))
    return held
  }
}
