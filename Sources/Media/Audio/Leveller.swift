import FFmpeg
import Loudness

/// Brings a track to a loudness with one gain for all of it, and holds its true peak under a ceiling
/// where that gain would exceed it.
///
/// Takes planes of floats. EBU R 128 asks for a gain alone; the limiter works only on the pieces that
/// need it.
final class Leveller {
  private let gain: Float
  private let limiter: PeakLimiter?
  private let format: AudioFormat
  private var samplesOut = 0
  /// Measures what the limiter has left; nil without it, as a gain alone does what it is meant to.
  private let reached: LoudnessMeter?
  private var interleaved: [Float] = []

  /// A leveller to `loudness` LUFS and at most `truePeak` dBTP.
  ///
  /// A survey that found silence leaves the track as it is.
  init(
    to loudness: Double, truePeak: Double, of format: AudioFormat, survey: SoundSurvey
  ) throws {
    let gain = survey.loudness.map { Decibels.amplitude(of: loudness - $0) } ?? 1
    let ceiling = Decibels.amplitude(of: truePeak)
    self.gain = Float(gain)
    self.format = format
    limiter =
      survey.truePeak * gain > ceiling
      ? try PeakLimiter(
        ceiling: ceiling, channels: format.channels, sampleRate: format.sampleRate) : nil
    reached =
      limiter == nil
      ? nil
      : try LoudnessMeter(
        channels: format.channels, sampleRate: format.sampleRate, for: .loudness)
  }

  /// The integrated loudness of what was given out, in LUFS, where peaks were limited; nil where none
  /// were.
  var limitedLoudness: Double? { reached?.integrated }

  /// Levels the next samples and gives the results to `show`.
  func write(_ frame: Frame, show: (Frame) throws -> Void) throws {
    guard let limiter else {
      return try show(
        make(count: frame.sampleCount) { channel, samples in
          frame.withFloats(channel: channel) { source in
            for index in samples.indices { samples[index] = source[index] * gain }
          }
        })
    }
    try limiter.add(frame, gain: gain)
    try drain(limiter, show)
  }

  /// Gives what is held back.
  func finish(show: (Frame) throws -> Void) throws {
    guard let limiter else { return }
    try limiter.finish()
    try drain(limiter, show)
  }

  private func drain(_ limiter: PeakLimiter, _ show: (Frame) throws -> Void) throws {
    let count = limiter.readyCount
    guard count > 0 else { return }
    let frame = try make(count: count) { channel, samples in
      limiter.copyReady(channel: channel, into: &samples)
    }
    limiter.dropReady()
    if let reached {
      frame.interleave(into: &interleaved)
      let samples = interleaved
      try reached.add(samples.span)
    }
    try show(frame)
  }

  private func make(
    count: Int, fill: (Int, inout MutableSpan<Float>) -> Void
  ) throws -> Frame {
    defer { samplesOut += count }
    return try Frame.floats(
      count: count, sampleRate: format.sampleRate, channelLayout: format.channelLayout,
      pts: Int64(samplesOut), fill: fill)
  }
}
