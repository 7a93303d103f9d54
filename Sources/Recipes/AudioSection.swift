/// What to make of a clip's sound: the `audio` section.
///
/// `copy` and `cover` are as the source has them. Everything else is made of the decoded track: cut by
/// ``from``, ``to`` and ``trimSilence``, then brought to ``rate``, ``channels`` and ``loudness``.
public struct AudioSection: Hashable, Sendable {
  /// What is made of a track.
  public enum Format: String, CaseIterable, Sendable {
    /// The track as it is, bit for bit, in its natural container.
    case copy
    /// Decoded samples.
    case wav
    /// Decoded samples, compressed without loss.
    case flac
    /// MPEG layer 3, by LAME.
    case mp3
    /// AAC in MP4.
    case m4a
    /// Opus in Ogg.
    case opus
    /// The waveform: JSON as `audiowaveform` writes it, and a PNG picture.
    case peaks
    /// A PNG picture of the frequencies over time.
    case spectrogram
    /// The cover picture of the tags, as it is.
    case cover
  }

  /// How much a lossy file may hold.
  public enum Rate: Hashable, Sendable {
    /// What the format is transparent at for most ears; see docs/audio.md.
    case standard
    /// Bits a second, of all channels together.
    case bits(Int)
    /// A quality of 1…100, the best.
    case quality(Int)
  }

  /// The sample rates that a recipe can ask for, in samples a second.
  public static let sampleRates = 8_000...192_000
  /// The bits a second that a recipe can ask for.
  public static let bitRates = 8_000...512_000
  /// The most zoom levels of the peaks.
  public static let mostZooms = 8
  /// What counts as silence where a recipe only says to trim it, in dB below full scale.
  public static let silenceLevel = -60.0

  /// Whether an input without sound is no error, only passed over with a note.
  public var optional = false

  /// Which of the tracks to take.
  public var track = TrackChoice.standard

  /// What to make, without repetitions in the order of their cases.
  public var formats: [Format] = [.copy]

  /// Where to begin, after the track's first sample, or `nil` for there.
  public var from: Duration?

  /// Where to stop, after the track's first sample, or `nil` for the end; later than ``from``.
  public var to: Duration?

  /// Leave out what is quieter than so many dB (0 is full scale) at the beginning and the end; `nil`
  /// to keep it.
  public var trimSilence: Double?

  /// Samples a second to resample to, or `nil` for the track's own.
  public var rate: Int?

  /// Channels to mix to, 1…8, or `nil` for the track's own.
  public var channels: Int?

  /// Bits of a sample in `wav` and `flac`, 16 or 24; `nil` for 24 where the source has more than 16
  /// that count, else 16.
  public var bits: Int?

  /// How much `mp3`, `m4a` and `opus` may hold.
  public var bitrate = Rate.standard

  /// The integrated loudness to bring the track to, in LUFS (EBU R 128); `nil` to leave it.
  public var loudness: Double?

  /// The true peak that ``loudness`` does not exceed, in dBTP.
  public var truePeak = -1.0

  /// Points of the waveform a second, one `peaks` file each, rising.
  public var peaksPerSecond = [20]

  /// Bits of a point of the waveform, 8 or 16.
  public var peaksBits = 8

  /// Whether the manifest tells loudness, true peak, clipping and silence of the source.
  public var report = false

  /// Creates the section with its defaults.
  public init() {}
}

extension AudioSection.Format: NamedChoice {}

extension AudioSection.Format {
  /// Whether it is made of decoded samples.
  public var isDecoded: Bool { self != .copy && self != .cover }
}
