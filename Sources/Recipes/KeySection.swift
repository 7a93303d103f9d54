public import Imaging

/// How to key a clip to transparent frames, and what to make of them: the `key` section.
public struct KeySection: Hashable, Sendable {
  /// What is made of the keyed frames.
  public enum Format: String, CaseIterable, Sendable {
    /// Frames as PNG pictures with straight alpha.
    case png
    /// Mattes as grey PNG pictures.
    case mask
  }

  /// How colour and alpha of a frame belong together.
  public enum Alpha: String, CaseIterable, Sendable {
    /// The colour is that of the subject, whatever its alpha.
    case straight
    /// The colour is multiplied by alpha.
    case premultiplied
  }

  /// The most colours a recipe can name.
  public static let mostColors = 16

  /// The most pixels a frame can be scaled to: 8K (7680x4320) and a little more.
  ///
  /// Memory is bounded by
  /// the frame, so the frame has to be bounded too.
  public static let mostPixels = 36_000_000

  /// How many times its shorter side the longer one of a frame can be scaled to.
  ///
  /// Beyond that swscale refuses some clips: a 320x240 one can be scaled to 16384x1, but not to 32767x1.
  public static let longestSide = 16_384

  /// Whether an input without a video stream is no error, only passed over with a note.
  public var optional = false

  /// How the matte and its colours are made: the fields `color` to `unmix` of the section.
  ///
  /// No colours stand for `"auto"`. Threshold and smoothing are `nil` where a recipe in mode
  /// `clean` does not bound them; in mode `gpuimage` a recipe has 0.15 and 0.3 where it gives none.
  public var keyer = KeySettings(colors: [RGBColor(packed: 0xFF00FF)])

  /// What is shut out of the matte.
  public var garbage: [MaskShape] = []

  /// What is kept whole, unless it is shut out too.
  public var holdOut: [MaskShape] = []

  /// The path of a picture of the screen alone, or `nil` for none.
  public var plate: String?

  /// How colour and alpha of the frames belong together.
  public var alpha = Alpha.straight

  /// The size to scale frames to, or `nil` for the clip's own.
  public var size: PixelSize?

  /// Frames a second to resample to, or `nil` for the clip's own frames.
  public var fps: Double?

  /// Where to begin, after the clip's first frame, or `nil` for there.
  public var from: Duration?

  /// Where to stop, after the clip's first frame, or `nil` for the end; later than ``from``.
  public var to: Duration?

  /// What to make, without repetitions in the order of their cases.
  public var formats: [Format] = [.png]

  /// Creates the section with its defaults.
  public init() {}

  /// The files that it takes besides the input.
  public var paths: [String] { (garbage + holdOut).compactMap(\.path) + [plate].compactMap(\.self) }
}

extension KeySection.Format: NamedChoice {
  static let announced = ["apng", "webp", "webm", "mov", "qtrle", "gif", "stacked", "atlas"]
}

extension KeySection.Alpha: NamedChoice {}
extension KeySettings.Mode: NamedChoice {}
extension KeySettings.Surface: NamedChoice {}
