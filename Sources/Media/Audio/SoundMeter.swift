import FFmpeg
import Loudness

/// What was measured of a track's sound.
struct SoundReport {
  /// Samples of each channel.
  var samples = 0
  /// Samples a second.
  var sampleRate = 0
  /// The integrated loudness in LUFS (EBU R 128); nil for silence.
  var loudness: Double?
  /// The true peak, 1 as full scale.
  var truePeak = 0.0
  /// Runs of samples at full scale.
  var clipping = ClippingFinder.Result()
  /// The samples from the first to the last that is no silence; nil where all is.
  var sound: Range<Int>?
}

/// Measures a track as it passes: loudness, true peak, clipping, and silence at both ends.
final class SoundMeter {
  private let silenceLevel: Double
  private var parts: Parts?

  private struct Parts {
    let converter: SampleConverter
    let loudness: LoudnessMeter
    var clipping: ClippingFinder
    var silence: SilenceFinder
    let sampleRate: Int
    var interleaved: [Float] = []
  }

  /// A meter that takes for silence what is below `silenceLevel`, in dB below full scale.
  init(silenceLevel: Double) { self.silenceLevel = silenceLevel }

  /// What was measured so far; nil before the first sample.
  var report: SoundReport? {
    guard let parts else { return nil }
    return SoundReport(
      samples: parts.silence.count, sampleRate: parts.sampleRate,
      loudness: parts.loudness.integrated, truePeak: parts.loudness.truePeak,
      clipping: parts.clipping.result, sound: parts.silence.sound)
  }

  /// Measures the next samples; all are of one format.
  func write(_ frame: Frame) throws {
    guard let format = frame.audioFormat else { return }
    var parts = try parts ?? makeParts(format)
    // Moved out while it is changed, so that its arrays are not copied.
    self.parts = nil
    try parts.converter.convert(frame) { frame in
      frame.interleave(into: &parts.interleaved)
      try parts.loudness.add(parts.interleaved.span)
      parts.clipping.add(frame)
      parts.silence.add(frame)
    }
    self.parts = parts
  }

  private func makeParts(_ format: AudioFormat) throws -> Parts {
    Parts(
      converter: SampleConverter(toFloats: format),
      loudness: try LoudnessMeter(channels: format.channels, sampleRate: format.sampleRate),
      clipping: ClippingFinder(channels: format.channels),
      silence: SilenceFinder(below: silenceLevel), sampleRate: format.sampleRate)
  }
}

extension Frame {
  /// Writes the samples of planes of floats one frame of all channels after the other.
  func interleave(into samples: inout [Float]) {
    let (channels, count) = (channels, sampleCount)
    if samples.count != count * channels {
      samples = [Float](repeating: 0, count: count * channels)
    }
    var target = samples.mutableSpan
    for channel in 0..<channels {
      withFloats(channel: channel) { plane in
        var place = channel
        for index in plane.indices {
          target[place] = plane[index]
          place += channels
        }
      }
    }
  }
}
