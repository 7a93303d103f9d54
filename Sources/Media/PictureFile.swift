import FFmpeg
public import Imaging

/// A picture that is read as a whole, such as one that a recipe names beside the input to blend with.
public enum PictureFile {
  /// Reads the first frame of a file, upright, as straight RGBA.
  ///
  /// - Throws: `MediaError` about the file.
  public static func read(_ path: String) throws(MediaError) -> RGBAImage {
    try read(path, under: nil)
  }

  /// As ``read(_:)``, scaled down to fit under a cap; no cap leaves the size.
  public static func read(_ path: String, under cap: PixelSize?) throws(MediaError) -> RGBAImage {
    LogCapture.start()
    do throws(FFmpegError) {
      let frame = try firstFrame(of: path)
      let own = FramePicture(frame).size
      let size = cap.map { own.fitted(under: $0) } ?? own
      return try FramePicture(frame, size: size).rgba(with: Scaler())
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
