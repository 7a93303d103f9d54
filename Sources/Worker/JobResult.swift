/// What a job has made.
public struct JobResult: Codable, Sendable, Equatable {
  /// A track made by `audio`, to be kept in the audio cache as well.
  public struct Track: Codable, Sendable, Equatable {
    /// The path inside the output directory.
    public var path: String
    /// The content's SHA-256 in hexadecimal.
    public var sha256: String
    /// The number among the audio tracks of the input, from 1; nil where it is not known.
    public var number: Int?

    /// A track at a path inside the output.
    public init(path: String, sha256: String, number: Int? = nil) {
      self.path = path
      self.sha256 = sha256
      self.number = number
    }
  }

  /// A screen that was keyed.
  public struct Screen: Codable, Sendable, Equatable {
    /// Its colour, as `#rrggbb`.
    public var color: String
    /// How uneven it is: the root mean square distance of its pixels' chroma from the colour's.
    public var spread: Double

    /// A screen of its parts.
    public init(color: String, spread: Double) {
      self.color = color
      self.spread = spread
    }
  }

  /// How good the mattes of keyed frames are: what a person wants to know of the manifest's `key.score`.
  public struct Score: Codable, Sendable, Equatable {
    /// `pass`, or `warn` where somebody should look at the frames.
    public var verdict: String
    /// How far the result over the screen is from the picture at edges, in 8-bit steps.
    public var residue: Double
    /// The same in the frame where it is greatest.
    public var worstResidue: Double
    /// That frame's number, from 1.
    public var worstFrame: Int
    /// The share of all pixels that are transparent, 0…1.
    public var transparent: Double
    /// The share of all pixels between transparent and opaque, 0…1.
    public var partial: Double
    /// The share of all pixels that are opaque, 0…1.
    public var opaque: Double
    /// The share of the opaque pixels whose colour is near the screen's, 0…1.
    public var nearKey: Double
    /// The screens that were keyed.
    public var screens: [Screen]

    /// A score with all its fields.
    public init(
      verdict: String, residue: Double, worstResidue: Double, worstFrame: Int,
      transparent: Double, partial: Double, opaque: Double, nearKey: Double, screens: [Screen]
    ) {
      self.verdict = verdict
      self.residue = residue
      self.worstResidue = worstResidue
      self.worstFrame = worstFrame
      self.transparent = transparent
      self.partial = partial
      self.opaque = opaque
      self.nearKey = nearKey
      self.screens = screens
    }
  }

  /// Where an output comes from that was not made now.
  public enum Reuse: Codable, Sendable, Equatable {
    /// It lay whole in its place, made of this very input.
    case inPlace
    /// It was linked from the output of this job.
    case linked(from: Int64)
  }

  /// Whether the input was damaged, so that not everything in it could be made.
  public var partial: Bool
  /// What the manifest warns of.
  public var warnings: [String]
  /// How many files lie in the output, the manifest not counted.
  public var files: Int
  /// Their size together, in bytes.
  public var bytes: Int
  /// How many frames were keyed; nil where none were asked for.
  public var frames: Int?
  /// How good their mattes are; nil where that is not known.
  public var score: Score?
  /// Where it comes from, where it was not made now.
  public var reuse: Reuse?
  /// The audio tracks among them that are copies of the input's.
  public var tracks: [Track]

  /// A result with all its fields.
  public init(
    partial: Bool, warnings: [String], files: Int, bytes: Int, frames: Int? = nil,
    score: Score? = nil, reuse: Reuse? = nil, tracks: [Track]
  ) {
    self.partial = partial
    self.warnings = warnings
    self.files = files
    self.bytes = bytes
    self.frames = frames
    self.score = score
    self.reuse = reuse
    self.tracks = tracks
  }
}
