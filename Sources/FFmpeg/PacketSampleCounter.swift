internal import CFFmpeg

/// Tells how many samples the packets of a stream decode to, without decoding them.
///
/// Containers tell it in ticks of their own, often milliseconds.
@safe public final class PacketSampleCounter {
  private enum Method {
    case constant(Int)
    case mpeg(Int)
    case alac(Int)
    case opus
    case vorbis
  }

  private let method: Method
  // Owned; null unless the method is `vorbis`.
  private var vorbis: OpaquePointer?
  private var isFirst = true

  /// A counter for a stream of `container`; nil for codecs other than AAC, ALAC, MP3, Opus and Vorbis,
  /// and where the stream's headers are damaged.
  public init?(for stream: Stream, of container: InputContainer) {
    unsafe vorbis = nil
    let frameSize = stream.audio?.frameSize
    switch (stream.codecName, frameSize) {
    case ("aac", let size?): method = .constant(size)
    case ("mp3", let size?): method = .mpeg(size)
    case ("opus", _): method = .opus
    case ("alac", _):
      guard let size = Self.alacFrameSize(of: stream, in: container) else { return nil }
      method = .alac(size)
    case ("vorbis", _):
      method = .vorbis
      guard let source = unsafe container.demuxer.context.pointee.streams[stream.index],
        let parameters = unsafe source.pointee.codecpar,
        let parser = unsafe av_vorbis_parse_init(
          parameters.pointee.extradata, parameters.pointee.extradata_size)
      else { return nil }
      unsafe vorbis = parser
    default: return nil
    }
  }

  deinit { unsafe av_vorbis_parse_free(&vorbis) }

  /// The samples of the stream's next packet, at 48 kHz for Opus; 0 where it is none of the codec.
  ///
  /// Packets are to be given in their order: those of Vorbis overlap, and the first decodes to none.
  public func count(_ packet: Packet) -> Int {
    defer { isFirst = false }
    switch method {
    case .constant(let size): return size
    case .mpeg(let size):
      // What lies between two frames comes as a packet too.
      return packet.withBytes { $0.count > 4 && $0[0] == 0xFF && $0[1] & 0xE0 == 0xE0 } ? size : 0
    case .alac(let size): return packet.withBytes { Self.alacSamples($0) ?? size }
    case .opus: return packet.withBytes(Self.opusSamples)
    case .vorbis:
      let raw = unsafe packet.pointer
      let count = unsafe av_vorbis_parse_frame(vorbis, raw.pointee.data, raw.pointee.size)
      return isFirst ? 0 : Int(max(count, 0))
    }
  }

  /// The samples of an ALAC packet, where it tells them: the last one, which has fewer than the others.
  ///
  /// An element begins with 3 bits of its kind, 4 of its number and 12 unused ones; then a bit says
  /// whether 32 bits with its length follow, after 3 bits of something else (Apple's ALACDecoder.cpp).
  private static func alacSamples(_ packet: Span<UInt8>) -> Int? {
    guard packet.count >= 7, packet[2] & 0x10 != 0 else { return nil }
    let bits = (2..<7).reduce(UInt64(0)) { $0 << 8 | UInt64(packet[$1]) }
    // 23 bits are before it, 16 of them in the bytes left out, and a bit is behind it.
    return Int(UInt32(truncatingIfNeeded: bits >> 1))
  }

  /// The samples of all packets but the last: the first field of the codec's own header, behind size, name
  /// and version of the box that it is in (Apple's ALACMagicCookieDescription.txt).
  private static func alacFrameSize(of stream: Stream, in container: InputContainer) -> Int? {
    guard let source = unsafe container.demuxer.context.pointee.streams[stream.index],
      let parameters = unsafe source.pointee.codecpar,
      unsafe parameters.pointee.extradata_size >= 16,
      let header = unsafe parameters.pointee.extradata
    else { return nil }
    let size = unsafe UnsafeRawPointer(header)
      .loadUnaligned(fromByteOffset: 12, as: UInt32.self).bigEndian
    return (1...65_536).contains(size) ? Int(size) : nil
  }

  /// The samples of an Opus packet at 48 kHz (RFC 6716, section 3.1).
  private static func opusSamples(_ packet: Span<UInt8>) -> Int {
    guard packet.count > 0 else { return 0 }
    let configuration = Int(packet[0] >> 3)
    let frame =
      switch configuration {
      case ..<12: [480, 960, 1920, 2880][configuration % 4]
      case ..<16: [480, 960][configuration % 2]
      default: [120, 240, 480, 960][configuration % 4]
      }
    switch packet[0] & 3 {
    case 0: return frame
    case 3: return packet.count > 1 ? frame * Int(packet[1] & 0x3F) : 0
    default: return 2 * frame
    }
  }
}
