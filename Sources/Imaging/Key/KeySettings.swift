/// What a chroma key is to do.
public struct KeySettings: Hashable, Sendable {
  /// How a matte and its colours are made.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The result of GPUImage's chroma key: one chroma distance, colours as they are.
    case gpuimage
    /// The best matte from the measured screen: colours un-mixed and free of spill.
    case clean
  }

  /// What a patch of one colour near the screen's is taken for in mode `clean`.
  ///
  /// Pink paint and pink glass are the same pixels, so somebody has to say.
  public enum Surface: String, Hashable, Sendable, CaseIterable {
    /// Each patch by its own look.
    case auto
    /// Paint: it is kept whole.
    case opaque
    /// Glass, smoke or shadow: the screen behind it is taken out.
    case translucent
  }

  /// How the matte and its colours are made.
  public var mode: Mode
  /// What a patch near the screen's colour is taken for.
  public var surface: Surface
  /// The screen's colours; empty to find the colour in the picture.
  public var colors: [RGBColor]
  /// The chroma distance up to which a pixel is transparent, 0…1 (GPUImage's
  /// `thresholdSensitivity`); `nil` for the mode's own.
  public var threshold: Float?
  /// The width of the ramp from transparent to opaque, a chroma distance 0…1; `nil` for the mode's
  /// own.
  public var smoothing: Float?
  /// How much of the screen's light is taken from the edges in mode `clean`, 0…1.
  public var despill: Float
  /// Whether the screen's colour is taken out of half-transparent pixels in mode
  /// `clean`.
  public var unmix: Bool
  /// The alpha up to which the matte becomes 0, 0…1 and less than ``clipWhite``.
  public var clipBlack: Float
  /// The alpha from which on the matte becomes 1, 0…1; what lies between is stretched.
  public var clipWhite: Float
  /// By how many pixels the matte is shrunk; negative to grow it.
  public var choke: Float
  /// The radius in pixels over which the matte's edge is softened.
  public var feather: Float

  /// Makes settings; the defaults are those of a recipe.
  public init(
    mode: Mode = .clean, surface: Surface = .auto, colors: [RGBColor] = [], threshold: Float? = nil,
    smoothing: Float? = nil,
    despill: Float = 1, unmix: Bool = true, clipBlack: Float = 0, clipWhite: Float = 1,
    choke: Float = 0, feather: Float = 0
  ) {
    precondition(clipBlack < clipWhite, "the ends of the matte must be in order")
    self.mode = mode
    self.surface = surface
    self.colors = colors
    self.threshold = threshold
    self.smoothing = smoothing
    self.despill = despill
    self.unmix = unmix
    self.clipBlack = clipBlack
    self.clipWhite = clipWhite
    self.choke = choke
    self.feather = feather
  }
}
