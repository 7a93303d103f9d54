/// Why a picture cannot be keyed.
public enum KeyError: Error, Hashable, Sendable {
  /// No colour was named, and the picture has no coloured screen.
  case noScreenFound
}

extension KeyError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    switch self {
    case .noScreenFound: "no screen of one colour was found; name the key colour"
    }
  }
}

/// Settings together with the screens they meet in a clip: all that a ``Keyer`` is made of.
public struct KeyPlan: Hashable, Sendable {
  /// What was asked for.
  public let settings: KeySettings
  /// The screens to key; where there is none everything is kept.
  public let screens: [KeyMeasurement]

  /// Where the chroma of 4:2:0 pictures sits in truth, measured for mode `clean`; `nil` to believe
  /// what each picture says.
  public let siting: ChromaSiting?

  /// Plans to key screens that are known already.
  public init(_ settings: KeySettings, screens: [KeyMeasurement], siting: ChromaSiting? = nil) {
    self.settings = settings
    self.screens = screens
    self.siting = siting
  }
}

extension KeyPlan {
  /// Plans to key a clip by one of its pictures, in which the screen is measured.
  ///
  /// Mode `gpuimage` takes named colours as they are; every other screen is measured, near the named
  /// colour where there is one.
  public init(_ settings: KeySettings, measuring picture: YUV420View) throws(KeyError) {
    self.init(
      settings, screens: try Self.screens(settings, in: KeySamples(picture)),
      siting: settings.mode == .clean ? SitingEvidence(picture).siting : nil)
  }

  /// Plans to key pictures like this one, in which the screen is measured.
  public init(_ settings: KeySettings, measuring picture: RGBAView) throws(KeyError) {
    self.init(settings, screens: try Self.screens(settings, in: KeySamples(picture)))
  }

  private static func screens(
    _ settings: KeySettings, in samples: KeySamples
  ) throws(KeyError) -> [KeyMeasurement] {
    if settings.colors.isEmpty {
      guard let screen = samples.screen() else { throw .noScreenFound }
      return [screen]
    }
    guard settings.mode == .clean else { return settings.colors.map { KeyMeasurement(color: $0) } }
    return settings.colors.map { samples.screen(near: $0) ?? KeyMeasurement(color: $0) }
  }
}
