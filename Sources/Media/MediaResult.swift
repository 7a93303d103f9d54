import Imaging

/// What a job has made.
public struct MediaResult: Sendable {
  /// Whether the input was damaged, so that not everything in it could be made.
  public let isPartial: Bool
  /// What the user should know, as the manifest has it.
  public let warnings: [String]
  /// How many files were made, the manifest not counted.
  public let files: Int
  /// Their size together in bytes.
  public let bytes: Int
  /// How many frames were keyed; nil where none were asked for.
  public let frames: Int?
  /// How good their mattes are; nil where that is not known.
  public let score: MatteScore?
  /// The screens that were keyed.
  public let screens: [KeyedScreen]
  /// The tracks that are the input's own.
  public let copiedTracks: [CopiedTrack]
}

/// A screen as it was met in a clip.
public struct KeyedScreen: Hashable, Sendable, Decodable {
  /// Its colour, as `#rrggbb`.
  public let color: String
  /// How uneven it is: the root mean square distance of its pixels' chroma from the colour's.
  public let spread: Double
}

/// A file of an output that holds a track of the input as it is.
public struct CopiedTrack: Sendable {
  /// Its path in the output.
  public let path: String
  /// Its SHA-256 in hexadecimal.
  public let sha256: String
  /// The track's number among the audio tracks of the input, from 1.
  public let number: Int
  /// The input's SHA-256 in hexadecimal.
  public let inputSHA256: String
}

extension KeyedScreen {
  init(_ screen: KeyMeasurement) {
    self.init(color: screen.color.description, spread: Double(screen.spread))
  }
}
