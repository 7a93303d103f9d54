/// Why a picture cannot be keyed.
public enum KeyError: Error, Hashable, Sendable {
  /// No colour was named, and the picture has no coloured screen.
  case noScreenFound
  /// No colour was named, and the picture is transparent where a screen would be.
  case transparentAlready
  /// What is shut out is all there is.
  case allShutOut
}

extension KeyError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    switch self {
    case .noScreenFound:
      "no screen of one colour was found in the first frame; name the key colour, or begin later"
    case .transparentAlready: "the picture is transparent already, and has no screen to key"
    case .allShutOut: "garbage covers the whole picture, so nothing is left to key"
    }
  }
}

/// What is known of a scene besides its screen's colour.
public struct KeyAids: Hashable, Sendable {
  /// What is shut out: it becomes transparent, whatever its colour.
  public var garbage: KeyMask
  /// What is kept: it stays as it is, unless it is shut out too.
  public var holdOut: KeyMask
  /// The screen alone, taken with the same camera and light; `nil` for none.
  ///
  /// Mode `clean` keys each pixel by the colour that the screen has at its place.
  public var plate: RGBAImage?

  /// Aids of all kinds; by default none.
  public init(garbage: KeyMask = .none, holdOut: KeyMask = .none, plate: RGBAImage? = nil) {
    self.garbage = garbage
    self.holdOut = holdOut
    self.plate = plate
  }
}

/// Settings together with the screens they meet in a clip: all that a ``Keyer`` is made of.
public struct KeyPlan: Hashable, Sendable {
  /// What was asked for.
  public let settings: KeySettings
  /// The screens to key; where there is none everything is kept.
  public private(set) var screens: [KeyMeasurement]
  /// What else is known of the scene.
  public let aids: KeyAids
  /// The screen that the picture seems to have where a named one is not in it.
  public private(set) var otherScreen: KeyMeasurement?

  /// Where the chroma of 4:2:0 pictures sits in truth, measured for mode `clean`; `nil` to believe
  /// what each picture says.
  public let siting: ChromaSiting?

  /// Plans to key screens that are known already.
  public init(
    _ settings: KeySettings, screens: [KeyMeasurement], siting: ChromaSiting? = nil,
    aids: KeyAids = KeyAids()
  ) {
    self.settings = settings
    self.screens = screens
    self.siting = siting
    self.aids = aids
  }
}

extension KeyPlan {
  /// Plans to key a clip by one of its pictures, in which the screen is measured.
  ///
  /// Mode `gpuimage` takes named colours as they are; every other screen is measured, near the named
  /// colour where there is one. Where there is a plate, the screen is measured in that.
  public init(
    _ settings: KeySettings, aids: KeyAids = KeyAids(), measuring picture: YUV420View
  ) throws(KeyError) {
    self.init(
      settings, screens: [],
      siting: settings.mode == .clean ? SitingEvidence(picture).siting : nil, aids: aids)
    try measure(KeySamples(picture, outside: aids.garbage))
    guard var light = LightStage(self) else { return }
    light.begin(picture)
    guard light.isEvening else { return }
    let evened = light.evened(picture.siting)
    measureNoise(KeySamples(evened, outside: aids.garbage))
  }

  /// Plans to key pictures like this one, in which the screen is measured.
  public init(
    _ settings: KeySettings, aids: KeyAids = KeyAids(), measuring picture: RGBAView
  ) throws(KeyError) {
    self.init(settings, screens: [], aids: aids)
    try measure(KeySamples(picture, outside: aids.garbage))
    guard var light = LightStage(self) else { return }
    light.begin(picture)
    guard light.isEvening else { return }
    let evened = light.evened
    measureNoise(KeySamples(evened, outside: aids.garbage))
  }

  private mutating func measure(_ samples: KeySamples) throws(KeyError) {
    guard !aids.garbage.isWhole else { throw .allShutOut }
    let source = aids.plate.map { KeySamples($0.view, outside: aids.garbage) } ?? samples
    if settings.colors.isEmpty {
      guard let screen = source.screen() else {
        throw samples.isTransparent ? .transparentAlready : .noScreenFound
      }
      screens = [screen]
      return checkPlate(samples)
    }
    screens = settings.colors.map { color in
      var named = KeyMeasurement(color: color)
      guard let screen = source.screen(near: color) else { return named }
      named.isFound = screen.isFound && !isDetail(screen, of: source)
      return named.isFound && settings.mode == .clean ? screen : named
    }
    if screens.contains(where: { !$0.isFound }) { otherScreen = source.screen() }
    checkPlate(samples)
  }

  /// Whether a screen near a named colour is only something of that colour before another screen.
  private func isDetail(_ screen: KeyMeasurement, of samples: KeySamples) -> Bool {
    guard screen.borderShare < KeySamples.detail, let other = samples.screen() else { return false }
    return other.borderShare > 0.5 && other.color != screen.color
  }

  /// Looks whether the screen of a plate is that of the picture.
  private mutating func checkPlate(_ samples: KeySamples) {
    guard aids.plate != nil, samples.screen(near: screens[0].color)?.isFound != true else { return }
    screens[0].isFound = false
    otherScreen = samples.screen()
  }

  /// Takes the noise of a screen whose light has been evened: what is left of its spread.
  private mutating func measureNoise(_ samples: KeySamples) {
    guard let screen = samples.screen(near: screens[0].color) else { return }
    screens[0].noise = screen.noise
  }
}
