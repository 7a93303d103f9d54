import FFmpeg
import Imaging

/// A picture that a recipe names beside the input, such as the one to blend with.
enum PictureFile {
  /// Reads the first frame of a file, upright, as straight RGBA.
  ///
  /// - Throws: `MediaError` about the file.
  static func read(_ path: String) throws(MediaError) -> RGBAImage {
    do throws(FFmpegError) {
      return try FramePicture(firstFrame(of: path)).rgba(with: Scaler())
    } catch {
      throw MediaError(error, input: path)
    }
  }

  private static func firstFrame(of path: String) throws(FFmpegError) -> Frame {
    let container = try InputContainer(path: path)
    guard let stream = container.bestStream(.video) else {
      throw FFmpegError(code: .streamNotFound, call: "av_find_best_stream", subject: path)
    }
    let decoder = try Decoder(for: stream, of: container)
    let packet = try Packet()
    while true {
      switch try decoder.receive() {
      case .frame(let frame): return frame
      case .drained:
        throw FFmpegError(code: .endOfFile, call: "avcodec_receive_frame", subject: path)
      case .needsInput:
        if try !container.readPacket(into: packet) {
          try decoder.sendEndOfStream()
        } else if packet.streamIndex == stream.index {
          try decoder.send(packet)
        }
      }
    }
  }
}
