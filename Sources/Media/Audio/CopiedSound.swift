import FFmpeg
import Platform

/// Gives the packets of a copied track times counted in samples, so that its new container can say of
/// them what the old one said: where the sound begins, and where it ends.
///
/// The times of the old container are often of milliseconds, and gaps between them are none in a file
/// that has nothing else.
struct CopiedSound {
  /// Seconds per tick of the times given.
  let timeBase: Rational
  /// Samples before the sound; nil until the packets have told.
  private(set) var leading: Int?

  private let counter: PacketSampleCounter
  private let length: DeclaredLength?
  /// FFmpeg's muxer of MP3 is told by the first and the last packet.
  private let isMP3: Bool
  /// Samples to be left out yet, by what was said of them so far.
  private var leadingLeft: Int
  private var total = 0
  /// Packets on their way: all while it is not known where the sound begins, then the last, which is to
  /// tell where it ends.
  private var held: [Held] = []

  private struct Held {
    let packet: Packet
    let start: Int
    let count: Int
  }

  /// Edit lists have FFmpeg hand over about a second that is only to be decoded; more is a mistake.
  private static let mostHeld = 200

  /// Prepares for a track; nil where its codec needs none of this, or nothing is known of its packets.
  init?(_ stream: FFmpeg.Stream, of container: InputContainer) throws {
    guard let counter = PacketSampleCounter(for: stream, of: container),
      let rate = stream.audio?.sampleRate, rate > 0
    else { return nil }
    self.counter = counter
    length = try DeclaredLength(of: stream, in: container)
    leadingLeft = stream.unmarkedDelay(in: container)
    isMP3 = stream.codecName == "mp3"
    // The header of an Opus track goes along and tells its delay; decoders of Vorbis know theirs.
    switch stream.codecName {
    case "opus": (timeBase, leading) = (Rational(1, 48_000), stream.audio?.initialPadding ?? 0)
    case "vorbis": (timeBase, leading) = (Rational(1, Int32(clamping: rate)), 0)
    default: timeBase = Rational(1, Int32(clamping: rate))
    }
  }

  /// Whether the new container can say how much is before the sound.
  ///
  /// The tag of MP3 cannot tell of less than every decoder is behind.
  var isExact: Bool { !isMP3 || leading ?? 0 >= LAMETag.decoderDelay }

  /// What the muxer is told of it: less than every decoder is behind it would wrap around.
  var initialPadding: Int? { isMP3 ? max(leading ?? 0, LAMETag.decoderDelay) : leading }

  /// Takes the next packet, which is left empty, and gives those that can be written.
  mutating func take(_ packet: Packet) throws -> [Packet] {
    let count = counter.count(packet)
    if leading == nil { findBeginning(packet, count) }
    let own = try Packet()
    own.take(from: packet)
    held.append(Held(packet: own, start: total, count: count))
    total += count
    guard leading != nil || held.count > Self.mostHeld else { return [] }
    return try release(held.count - 1)
  }

  /// Gives the rest, the last packet with what says where the sound ends.
  mutating func finish() throws -> [Packet] {
    guard let last = held.last else { return [] }
    let trailing = trailing(last.packet)
    let packets = try release(held.count)
    let shown = max(last.count - trailing, 0)
    last.packet.setTime(Int64(last.start - (leading ?? 0)), duration: Int64(shown))
    guard isMP3, isExact else { return packets }
    // The only packet is the first one as well.
    let leading = last.start == 0 ? leading ?? 0 : 0
    try last.packet.setPadding(SamplePadding(leading: leading, trailing: trailing))
    return packets
  }

  private mutating func findBeginning(_ packet: Packet, _ count: Int) {
    let padding = packet.padding.leading
    if padding > 0 { leadingLeft = padding }
    if packet.isDiscard {
      leadingLeft = max(0, leadingLeft - count)
    } else {
      leading = total + leadingLeft
    }
  }

  private mutating func release(_ count: Int) throws -> [Packet] {
    let leading = leading ?? total
    self.leading = leading
    let released = held.prefix(count)
    held.removeFirst(count)
    for one in released {
      one.packet.setTime(Int64(one.start - leading), duration: Int64(one.count))
      guard isMP3 else { continue }
      let isFirst = one.start == 0 && isExact
      try one.packet.setPadding(SamplePadding(leading: isFirst ? leading : 0))
    }
    return released.map(\.packet)
  }

  /// Samples after the sound.
  private func trailing(_ last: Packet) -> Int {
    guard let length else { return last.padding.trailing }
    let leading = leading ?? total
    let rest = total - leading - length.count(leading: leading)
    // A header that ends the track too early is not believed.
    return (0...PaddingTrimmer.mostPadding).contains(rest) ? rest : 0
  }
}

extension LAMETag {
  /// Takes the encoder's name out of the tag of a file, so that no player believes what it says of delay
  /// and padding.
  static func forgetGap(inFileAt path: String) throws {
    guard let start = try MP3Beginning(ofFileAt: path, frames: 1), let tag = start.tag else {
      return
    }
    let file = try FileDescriptor.open(path, .update)
    try file.writeAll(
      [UInt8](repeating: 0, count: tag.encoderName.count),
      at: Int64(start.firstFrame + tag.encoderName.lowerBound))
  }
}
