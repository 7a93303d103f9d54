import FFmpeg
import TestSupport

/// The first frames of a file as the decoder gives them.
func frames(of path: String, atMost limit: Int = .max) throws -> [Frame] {
  let container = try InputContainer(path: path)
  guard let stream = container.bestStream(.video) else {
    throw FFmpegError(code: .streamNotFound, call: "bestStream", subject: path)
  }
  container.discardStreams(except: [stream.index])
  let decoder = try Decoder(for: stream, of: container)
  let packet = try Packet()
  var frames: [Frame] = []
  while frames.count < limit {
    switch try decoder.receive() {
    case .frame(let frame): frames.append(frame)
    case .drained: return frames
    case .needsInput:
      if try container.readPacket(into: packet) {
        try decoder.send(packet)
      } else {
        try decoder.sendEndOfStream()
      }
    }
  }
  return frames
}
