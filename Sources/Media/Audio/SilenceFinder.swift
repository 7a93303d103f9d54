import FFmpeg
import Loudness

/// Finds where a track's sound begins and ends: its first and last sample that is no silence.
struct SilenceFinder {
  private let threshold: Float
  private var first: Int?
  private var end = 0
  /// Samples of each channel looked at.
  private(set) var count = 0

  /// Takes for silence what no channel exceeds, in dB below full scale.
  init(below level: Double) { threshold = Float(Decibels.amplitude(of: level)) }

  /// The samples from the first to the last that is no silence; nil where there is none.
  var sound: Range<Int>? { first.map { $0..<end } }

  /// Looks at the next samples, planes of floats.
  mutating func add(_ frame: Frame) {
    for channel in 0..<frame.channels {
      let (loudFirst, loudLast) = frame.withFloats(channel: channel) { ends(of: $0) }
      guard let loudFirst, let loudLast else { continue }
      first = min(first ?? .max, count + loudFirst)
      end = max(end, count + loudLast + 1)
    }
    count += frame.sampleCount
  }

  private func ends(of samples: Span<Float>) -> (first: Int?, last: Int?) {
    guard let last = samples.indices.last(where: { abs(samples[$0]) > threshold }) else {
      return (nil, nil)
    }
    // Once the beginning is known, only the end is looked for.
    guard first == nil else { return (last, last) }
    return (samples.indices.first { abs(samples[$0]) > threshold }, last)
  }
}
