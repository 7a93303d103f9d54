import FFmpeg

/// Brings sound to a format, and does nothing where it has that already.
final class SampleConverter {
  private let target: AudioFormat
  private var resampler: Resampler?
  private var isNeeded: Bool?

  /// A converter to `target`.
  init(to target: AudioFormat) { self.target = target }

  /// A converter to planes of floats at the rate and channels of `source`.
  convenience init(toFloats source: AudioFormat) {
    var target = source
    target.sampleFormat = .floatPlanar
    self.init(to: target)
  }

  /// Converts a frame, or with nil what the filters hold back, and gives the results to `show`.
  func convert(_ frame: Frame?, show: (Frame) throws -> Void) throws {
    guard let frame else {
      try resampler?.sendEndOfStream()
      return try drain(show)
    }
    if resampler == nil {
      if !isNeeded(for: frame) { return try show(frame) }
      resampler = try Resampler(to: target)
    }
    try resampler?.send(frame)
    try drain(show)
  }

  /// Whether frames have another format; they are all alike, so the first one tells.
  private func isNeeded(for frame: Frame) -> Bool {
    if let isNeeded { return isNeeded }
    let answer = frame.audioFormat != target
    isNeeded = answer
    return answer
  }

  private func drain(_ show: (Frame) throws -> Void) throws {
    while let frame = try resampler?.receive() { try show(frame) }
  }
}
