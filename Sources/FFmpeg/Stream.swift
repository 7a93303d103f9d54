/// One track of a container, as the container describes it.
public struct Stream: Hashable, Sendable {
  /// What a stream carries.
  public enum Kind: Hashable, Sendable {
    /// Pictures.
    case video
    /// Sound.
    case audio
    /// Text or pictures to be laid over video.
    case subtitle
    /// Time codes, GPS tracks and the like.
    case data
    /// A file in the file, such as a font.
    case attachment
    /// None that FFmpeg knows.
    case unknown
  }

  /// Its place in the container, from 0.
  public let index: Int
  /// What it carries.
  public let kind: Kind
  /// FFmpeg's name of the codec (`h264`, `aac`); `none` where it is unknown.
  public let codecName: String
  /// Whether this build of FFmpeg can decode it without special hardware.
  public let hasDecoder: Bool
  /// Seconds per tick of all times of this stream.
  public let timeBase: Rational
  /// The first time shown, in ticks.
  public let startPTS: Int64?
  /// The length in ticks.
  public let durationTicks: Int64?
  /// The number of frames that the container states (stored ones, not shown ones).
  public let frameCount: Int?
  /// Bits a second.
  public let bitRate: Int64?
  /// Tags, such as `language` or `title`.
  public let metadata: [String: String]
  /// Whether the container marks it as the one to play.
  public let isDefault: Bool
  /// Whether it is the cover picture of an audio file.
  public let isAttachedPicture: Bool
  /// Whether it holds one picture rather than moving ones, as far as the container tells.
  public let isStillPicture: Bool
  /// What is known of its pictures; nil unless `kind` is `video`.
  public let video: VideoParameters?
  /// What is known of its sound; nil unless `kind` is `audio`.
  public let audio: AudioParameters?

  /// The first time shown, in seconds.
  public var startTime: Double? { startPTS.map(timeBase.seconds) }

  /// The length in seconds.
  public var duration: Double? { durationTicks.map(timeBase.seconds) }
}

/// What a container states about the pictures of a stream; the frames have the last word.
public struct VideoParameters: Hashable, Sendable {
  /// Which lines of a picture belong to the same moment.
  public enum FieldOrder: Hashable, Sendable {
    /// All lines.
    case progressive
    /// Two fields, the upper one shown first.
    case topFirst
    /// Two fields, the lower one shown first.
    case bottomFirst
    /// The file does not say.
    case unknown
  }

  /// Stored columns; 0 where unknown.
  public let width: Int
  /// Stored rows; 0 where unknown.
  public let height: Int
  /// FFmpeg's name of the pixel format; nil where unknown.
  public let pixelFormat: String?
  /// The width of a stored pixel by its height; 1/1 where the file does not say.
  public let sampleAspectRatio: Rational
  /// Frames a second over the whole stream; nil where unknown.
  public let averageFrameRate: Rational?
  /// What the numbers mean as colours.
  public let colour: ColourDescription
  /// Which lines belong to the same moment.
  public let fieldOrder: FieldOrder
  /// How the stored pixels are turned to stand upright.
  public let displayTransform: DisplayTransform
  /// Whether alpha is coded beside the pictures (VP8 and VP9 in WebM: `alpha_mode` is 1).
  public let hasAlphaSideChannel: Bool
}

/// What a container states about the sound of a stream.
public struct AudioParameters: Hashable, Sendable {
  /// Samples a second of one channel; 0 where unknown.
  public let sampleRate: Int
  /// Number of channels.
  public let channels: Int
  /// The channels as FFmpeg describes them: `stereo`, `5.1`, …; the usual ones where the file tells only
  /// their number.
  public let channelLayout: String
  /// FFmpeg's name of the sample format; nil where unknown.
  public let sampleFormat: String?
  /// Bits of a sample that count, of a codec without loss; nil for lossy ones and where unknown.
  public let bitDepth: Int?
  /// Samples a packet, where constant.
  public let frameSize: Int?
  /// Samples that the encoder put before the sound, which players leave out.
  public let initialPadding: Int
}
