import FFmpeg
import TestSupport

/// What decoding a stream to its end gives.
struct Decoded {
  var frames: [Frame] = []
  var errors: [FFmpegError] = []

  var samples: Int { frames.reduce(0) { $0 + $1.sampleCount } }
}

/// Decodes a stream of a file to the end; damage is collected, and decoding goes on.
func decode(
  _ path: String, stream index: Int? = nil, kind: FFmpeg.Stream.Kind = .video, threads: Int = 1,
  limits: DecodeLimits = .standard, atMost limit: Int = .max
) throws -> Decoded {
  let container = try InputContainer(path: path, limits: limits)
  let stream = index.map { container.streams[$0] } ?? container.bestStream(kind)
  guard let stream else {
    throw FFmpegError(code: .streamNotFound, call: "bestStream", subject: path)
  }
  container.discardStreams(except: [stream.index])
  let decoder = try Decoder(for: stream, of: container, threads: threads)
  let packet = try Packet()
  var decoded = Decoded()
  while decoded.frames.count < limit, try container.readPacket(into: packet) {
    decoded.collect { () throws(FFmpegError) in try decoder.send(packet) }
    decoded.receiveAll(from: decoder)
  }
  decoded.collect(decoder.sendEndOfStream)
  decoded.receiveAll(from: decoder)
  return decoded
}

/// The first frame of a file.
func firstFrame(_ path: String) throws -> Frame {
  let decoded = try decode(path, atMost: 1)
  if let frame = decoded.frames.first { return frame }
  throw decoded.errors.first ?? FFmpegError(code: .endOfFile, call: "receive", subject: path)
}

extension Decoded {
  fileprivate mutating func collect(_ body: () throws(FFmpegError) -> Void) {
    do { try body() } catch { errors.append(error) }
  }

  fileprivate mutating func receiveAll(from decoder: Decoder) {
    while true {
      do throws(FFmpegError) {
        guard case .frame(let frame) = try decoder.receive() else { return }
        frames.append(frame)
      } catch {
        errors.append(error)
      }
    }
  }
}
