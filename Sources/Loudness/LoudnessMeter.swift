internal import CEBUR128

/// Measures loudness and true peak as broadcasters do: ITU-R BS.1770-4, EBU R 128.
///
/// Feed it samples in order, ask at any time. Of a programme it keeps some 1.4 MB an hour: gating
/// needs the loudness of every 0.4 s. Wraps libebur128. One meter belongs to one thread at a time.
@safe public final class LoudnessMeter {
  /// What a meter is for.
  public enum Purpose: Sendable {
    /// Integrated loudness and true peak of a programme.
    case programme
    /// Integrated loudness alone; the true peak is 0.
    case loudness
    /// The true peak of each piece that is added; keeps nothing of the past.
    case peaks
  }

  /// Channels of a frame of samples.
  public let channels: Int
  // Owned: made in `init`, destroyed in `deinit`, never null in between.
  private let state: UnsafeMutablePointer<ebur128_state>

  /// A meter for sound of so many channels and samples a second.
  ///
  /// The channels are taken in the usual order: of six, the fourth is the LFE and does not count.
  /// - Throws: `outOfRange` for less than 1 or more than 64 channels, or a rate outside of
  ///   16…2822400; `outOfMemory`.
  public init(
    channels: Int, sampleRate: Int, for purpose: Purpose = .programme
  ) throws(LoudnessError) {
    guard (1...64).contains(channels), (16...2_822_400).contains(sampleRate) else {
      throw .outOfRange(channels: channels, sampleRate: sampleRate)
    }
    let mode =
      switch purpose {
      case .programme: km_loudness_and_peak
      case .loudness: km_loudness_alone
      case .peaks: km_peak_alone
      }
    let state = unsafe ebur128_init(UInt32(channels), UInt(sampleRate), mode)
    guard let state = unsafe state else { throw .outOfMemory }
    self.channels = channels
    unsafe self.state = state
  }

  deinit {
    var state: UnsafeMutablePointer<ebur128_state>? = unsafe state
    unsafe ebur128_destroy(&state)
  }

  /// Adds samples, channels interleaved, 1 as full scale.
  ///
  /// - Precondition: They are whole frames.
  public func add(_ samples: Span<Float>) throws(LoudnessError) {
    precondition(samples.count.isMultiple(of: channels), "whole frames")
    // The call reads so many samples and keeps no pointer.
    let result = unsafe samples.withUnsafeBufferPointer { buffer in
      unsafe ebur128_add_frames_float(state, buffer.baseAddress, buffer.count / channels)
    }
    guard result == Int32(EBUR128_SUCCESS.rawValue) else { throw .outOfMemory }
  }

  /// The integrated loudness of all that was added, in LUFS; nil where all of it is below the gate of
  /// -70 LUFS, or shorter than 0.4 s.
  public var integrated: Double? {
    var value = 0.0
    let result = unsafe ebur128_loudness_global(state, &value)
    return result == Int32(EBUR128_SUCCESS.rawValue) && value.isFinite ? value : nil
  }

  /// The true peak of all that was added and of any channel, 1 as full scale: the largest value of
  /// the signal at four times its rate.
  public var truePeak: Double {
    unsafe highest { channel, value in unsafe ebur128_true_peak(state, channel, value) }
  }

  /// The true peak of the samples that were added last.
  ///
  /// It is seen some six samples late, in the piece after its own where that ends with it.
  public var lastTruePeak: Double {
    unsafe highest { channel, value in unsafe ebur128_prev_true_peak(state, channel, value) }
  }

  private func highest(_ read: (UInt32, UnsafeMutablePointer<Double>) -> Int32) -> Double {
    var highest = 0.0
    for channel in 0..<UInt32(channels) {
      var value = 0.0
      guard unsafe read(channel, &value) == Int32(EBUR128_SUCCESS.rawValue) else { continue }
      highest = max(highest, value)
    }
    return highest
  }
}

/// Why loudness could not be measured.
public enum LoudnessError: Error, Hashable, Sendable {
  /// Memory ran out.
  case outOfMemory
  /// The measure is not defined for such sound.
  case outOfRange(channels: Int, sampleRate: Int)
}

extension LoudnessError: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .outOfMemory: "out of memory while measuring loudness"
    case .outOfRange(let channels, let sampleRate):
      "loudness is not defined for \(channels) channels at \(sampleRate) Hz"
    }
  }
}
