import FFmpeg
public import Imaging

/// A picture that is read as a whole, such as one that a recipe names beside the input to blend with.
public enum PictureFile {
  /// Reads a picture, upright, as straight RGBA.
  ///
  /// - Throws: `MediaError` about the file; of kind `input` where it is a clip.
  public static func read(_ path: String) throws(MediaError) -> RGBAImage {
    let file = try first(path)
    guard file.isOnlyFrame else {
      throw MediaError(.input, path, "is a clip, and a picture is needed; take one of its frames")
    }
    return try file.image(under: nil, of: path)
  }

  /// Reads a picture that a recipe names, and notes as damage of that file what was wrong with it.
  ///
  /// - Throws: As ``read(_:)`` does.
  static func read(_ path: String, warnings: Warnings) throws(MediaError) -> RGBAImage {
    let (image, log) = try LogCapture.apart { () throws(MediaError) in try read(path) }
    for line in log.lines { warnings.damage(line.message, of: path) }
    return image
  }

  /// Reads the first frame of a picture or a clip, scaled down to fit under a cap; no cap leaves the
  /// size.
  ///
  /// - Throws: `MediaError` about the file.
  public static func firstFrame(
    of path: String, under cap: PixelSize?
  ) throws(MediaError) -> RGBAImage {
    try first(path).image(under: cap, of: path)
  }

  private static func first(_ path: String) throws(MediaError) -> FirstFrame {
    LogCapture.start()
    do throws(FFmpegError) {
      return try FirstFrame(path)
    } catch {
      throw MediaError(error, input: path)
    }
  }
}

/// The first frame of a file.
private struct FirstFrame {
  let frame: Frame
  /// Whether no other follows.
  let isOnlyFrame: Bool

  init(_ path: String) throws(FFmpegError) {
    let container = try InputContainer(path: path)
    guard let stream = container.bestStream(.video) else {
      throw FFmpegError(code: .streamNotFound, call: "av_find_best_stream", subject: path)
    }
    let decoder = try Decoder(for: stream, of: container)
    let packet = try Packet()
    var packets = 0
    func next() throws(FFmpegError) -> Bool {
      while try container.readPacket(into: packet) {
        guard packet.streamIndex == stream.index else { continue }
        packets += 1
        return true
      }
      return false
    }
    while true {
      switch try decoder.receive() {
      case .frame(let frame):
        self.frame = frame
        // A decoder may have asked for several packets before it gives the first frame.
        let isFollowed = try next()
        isOnlyFrame = container.isSinglePicture || !isFollowed && packets == 1
        return
      case .drained:
        throw FFmpegError(code: .endOfFile, call: "avcodec_receive_frame", subject: path)
      case .needsInput:
        if try next() { try decoder.send(packet) } else { try decoder.sendEndOfStream() }
      }
    }
  }

  /// The frame upright, under a cap.
  func image(under cap: PixelSize?, of path: String) throws(MediaError) -> RGBAImage {
    do throws(FFmpegError) {
      let own = FramePicture(frame).size
      let size = cap.map { own.fitted(under: $0) } ?? own
      return try FramePicture(frame, size: size).rgba(with: Scaler())
    } catch {
      throw MediaError(error, input: path)
    }
  }
}
