import FFmpeg

/// Finds clipping: runs of samples at full scale, which no analogue signal has.
struct ClippingFinder {
  /// What was found.
  struct Result: Equatable {
    /// Runs of at least three samples of one channel.
    var runs = 0
    /// Samples in them.
    var samples = 0
    /// Where the first one begins, in samples from the beginning.
    var first: Int?
  }

  /// What was found so far.
  private(set) var result = Result()
  private var lengths: [Int]
  private var position = 0

  /// The largest value of 16 bits: what is at it or above was cut off there.
  private static let fullScale: Float = 32_767.0 / 32_768
  /// Two samples at full scale happen in a clean signal.
  private static let shortestRun = 3

  /// A finder for so many channels.
  init(channels: Int) { lengths = [Int](repeating: 0, count: channels) }

  /// Looks at the next samples, planes of floats.
  mutating func add(_ frame: Frame) {
    for channel in 0..<min(frame.channels, lengths.count) {
      frame.withFloats(channel: channel) { add($0, channel: channel) }
    }
    position += frame.sampleCount
  }

  private mutating func add(_ samples: Span<Float>, channel: Int) {
    var length = lengths[channel]
    for index in samples.indices {
      guard abs(samples[index]) >= Self.fullScale else {
        length = 0
        continue
      }
      length += 1
      if length == Self.shortestRun {
        result.runs += 1
        result.samples += length
        result.first = min(result.first ?? .max, position + index - length + 1)
      } else if length > Self.shortestRun {
        result.samples += 1
      }
    }
    lengths[channel] = length
  }
}
