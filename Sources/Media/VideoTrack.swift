import FFmpeg

/// A decoded frame of the clip, with its place in it.
struct ShownFrame {
  /// The picture.
  let frame: Frame
  /// When it is shown, in seconds from the first shown frame.
  let seconds: Double
}

/// The video stream of a job: decoded once, its frames handed to all that are made of it.
final class VideoTrack {
  private let decoder: StreamDecoder
  private let normalizer: FrameNormalizer
  private let interval: Double
  private var start: Double?
  private var last: ShownFrame?
  /// How many frames were shown.
  private(set) var frameCount = 0

  /// Opens the decoder of `stream`.
  init(
    _ stream: FFmpeg.Stream, of container: InputContainer, threads: Int, warnings: Warnings
  ) throws(FFmpegError) {
    decoder = try StreamDecoder(
      stream, of: container, threads: threads, word: "video", warnings: warnings)
    normalizer = FrameNormalizer(threads: threads, warnings: warnings)
    let rate = stream.video?.averageFrameRate.map(\.value) ?? 25
    interval = rate > 0 ? 1 / rate : 0.04
  }

  /// When the last decoded frame is shown, in seconds from the first.
  var position: Double { last?.seconds ?? 0 }

  /// How long the clip is shown: until its last frame's end, in seconds from the first.
  var end: Double {
    guard let last else { return 0 }
    let duration = last.frame.duration.map(last.frame.timeBase.seconds) ?? interval
    return last.seconds + (duration.isFinite ? duration : interval)
  }

  /// Decodes a packet, or with nil what is left, and gives each frame to `show`, progressive and SDR.
  func decode(_ packet: Packet?, show: (ShownFrame) throws -> Void) throws {
    func take(_ frame: Frame) throws {
      let shown = ShownFrame(frame: frame, seconds: place(frame))
      last = shown
      frameCount += 1
      try show(shown)
    }
    try decoder.decode(packet, position: { position }) { frame in
      try normalizer.normalize(frame, show: take)
    }
    if packet == nil { try normalizer.finish(show: take) }
  }

  /// Frames come in the order they are shown; one without a time of its own, or with one that goes
  /// back, follows its predecessor.
  private func place(_ frame: Frame) -> Double {
    guard let last else {
      start = frame.seconds
      return 0
    }
    guard let seconds = frame.seconds, let start, (seconds - start).isFinite,
      seconds - start > last.seconds
    else { return last.seconds + interval }
    return seconds - start
  }
}
