import Digests
import FFmpeg
import TestSupport

/// Sound as FFmpeg reads it, for comparing files.
enum Sound {
  /// The digest of each packet of a file's sound, in order.
  static func packets(of path: String) throws -> [SHA256Digest] {
    var digests: [SHA256Digest] = []
    try read(path) { packet, _ in
      digests.append(
        packet.withBytes { bytes in SHA256Digest(of: bytes.indices.map { bytes[$0] }) })
    }
    return digests
  }

  /// How many samples of each channel a file's sound decodes to.
  static func sampleCount(of path: String) throws -> Int {
    var count = 0
    func drain(_ decoder: Decoder) throws {
      while case .frame(let frame) = try decoder.receive() { count += frame.sampleCount }
    }
    let decoder = try read(path) { packet, decoder in
      try decoder.send(packet)
      try drain(decoder)
    }
    try decoder.sendEndOfStream()
    try drain(decoder)
    return count
  }

  @discardableResult
  private static func read(
    _ path: String, _ body: (Packet, Decoder) throws -> Void
  ) throws -> Decoder {
    let container = try InputContainer(path: path)
    guard let stream = container.bestStream(.audio) else {
      throw FFmpegError(code: .streamNotFound, call: "bestStream", subject: path)
    }
    container.discardStreams(except: [stream.index])
    let decoder = try Decoder(for: stream, of: container)
    let packet = try Packet()
    while try container.readPacket(into: packet) {
      if packet.streamIndex == stream.index { try body(packet, decoder) }
    }
    return decoder
  }
}
