import FFmpeg
import Loudness

/// A limiter that looks ahead: its gain sinks before a peak comes, so that nothing is cut off.
///
/// The sound is taken in blocks. Each block needs a gain that brings its true peak to the ceiling; the
/// least of the blocks ahead is held, released slowly, and averaged over as many blocks, so that the
/// gain reaches what a block needs before it and moves without steps. Between blocks it is
/// interpolated. (Giannoulis, Massberg, Reiss 2012, "Digital Dynamic Range Compressor Design", §4,
/// with a moving average as the smoother of a look-ahead peak detector.)
final class PeakLimiter {
  private let ceiling: Double
  private let channels: Int
  private let meter: LoudnessMeter
  private let release: Double
  /// Interleaved samples that wait for their gain, whole blocks first.
  private var waiting: [Float] = []
  /// Samples that have it, interleaved.
  private var ready: [Float] = []
  private var needed: [Double] = [1]
  /// The gains that the next one is the mean of; none before the first block.
  private var held: [Double] = []
  private var last = 1.0
  private var measured = 0
  private var countIn = 0
  private var countOut = 0
  private var block: [Float] = []

  /// Samples of a block: 1.3 ms at 48 kHz.
  private static let blockSize = 64
  /// Blocks that are looked ahead: 8 ms at 48 kHz.
  private static let lookahead = 6
  /// How long the gain takes to come back by two thirds, in seconds.
  private static let releaseTime = 0.06
  /// Room for what moving the gain adds between the samples, as a factor: 0.05 dB.
  private static let headroom = 0.9943

  /// A limiter to `ceiling`, an amplitude with 1 as full scale.
  init(ceiling: Double, channels: Int, sampleRate: Int) throws(LoudnessError) {
    self.ceiling = ceiling * Self.headroom
    self.channels = channels
    meter = try LoudnessMeter(channels: channels, sampleRate: sampleRate, for: .peaks)
    release = min(1, Double(Self.blockSize) / (Self.releaseTime * Double(sampleRate)))
  }

  /// Samples of each channel that can be taken.
  var readyCount: Int { ready.count / channels }

  /// Copies what can be taken of a channel.
  func copyReady(channel: Int, into samples: inout MutableSpan<Float>) {
    var place = channel
    for index in samples.indices {
      samples[index] = ready[place]
      place += channels
    }
  }

  /// Forgets what was taken.
  func dropReady() { ready.removeAll(keepingCapacity: true) }

  /// Takes planes of floats, multiplied by `gain`.
  func add(_ frame: Frame, gain: Float) throws {
    frame.interleave(into: &block)
    countIn += frame.sampleCount
    for sample in block { waiting.append(sample * gain) }
    try advance()
  }

  /// Says that nothing follows: silence pushes the rest out.
  func finish() throws {
    let blocks = Self.lookahead + 3
    waiting.append(contentsOf: repeatElement(0, count: blocks * Self.blockSize * channels))
    try advance()
    let excess = (countOut - countIn) * channels
    if excess > 0 { ready.removeLast(min(excess, ready.count)) }
  }

  /// Measures the blocks that are whole, and gives their gain to those whose future is known.
  private func advance() throws {
    let stride = Self.blockSize * channels
    while (measured + 1) * stride <= waiting.count {
      let block = Array(waiting[measured * stride..<(measured + 1) * stride])
      try meter.add(block.span)
      measured += 1
      needed.append(min(1, ceiling / max(meter.lastTruePeak, 1e-9)))
      guard measured > Self.lookahead + 1 else { continue }
      release(stride)
    }
  }

  /// Gives the first waiting block its gain.
  ///
  /// `needed` begins with the block before it, which the meter's delay makes part of it.
  private func release(_ stride: Int) {
    if countOut == 0 { last = nextGain() }
    needed.removeFirst()
    let next = nextGain()
    for index in 0..<Self.blockSize {
      let share = Double(index) / Double(Self.blockSize)
      let gain = Float(last + (next - last) * share)
      for channel in 0..<channels { ready.append(waiting[index * channels + channel] * gain) }
    }
    last = next
    countOut += Self.blockSize
    measured -= 1
    waiting.removeFirst(stride)
  }

  /// The gain at the beginning of the block that `needed` has second.
  private func nextGain() -> Double {
    let least = needed.prefix(Self.lookahead + 2).min() ?? 1
    // A track that begins with a peak begins with the gain that it needs.
    if held.isEmpty { held = [Double](repeating: least, count: Self.lookahead) }
    let previous = held.last ?? 1
    held.removeFirst()
    held.append(min(least, previous + (1 - previous) * release))
    return held.reduce(0, +) / Double(held.count)
  }
}
