/// Filters that shift colours as film, light and development do.
extension FilterCatalogue {
  static let toningFilters = [
    FilterDeclaration(
      "white-balance", "Makes the light warmer or colder.", like: "WhiteBalanceFilter",
      [
        .number(
          "temperature", default: 5000, in: 2000...10_000, unit: "kelvin",
          "Below 5000 cools the picture, above warms it."),
        .number(
          "tint", default: 0, in: -200...200, unit: "percent",
          "Below 0 towards green, above towards magenta."),
      ]
    ) { arguments in
      .point(
        WhiteBalance(
          kelvin: arguments.number("temperature"), tint: arguments.number("tint") / 100))
    },
    FilterDeclaration(
      "vibrance", "Strengthens weak colours more than strong ones.", like: "VibranceFilter",
      [
        .number(
          "vibrance", default: 0, in: -1.2...1.2, unit: "factor",
          "Above 0 strengthens colours, below 0 weakens them.")
      ]
    ) { arguments in
      .point(Vibrance(amount: arguments.number("vibrance")))
    },
    FilterDeclaration(
      "skin-tone", "Moves the colours of skin and leaves the others.", like: "SkinToneFilter",
      [
        .number(
          "skinToneAdjust", default: 0, in: -1...1, unit: "amount",
          "How far skin is moved; below 0 towards pink."),
        .number("skinHue", default: 0.05, in: 0...1, unit: "turns", "The hue that counts as skin."),
        .number(
          "skinHueThreshold", default: 40, from: 0, unit: "narrowness of the hues taken",
          "The higher, the fewer hues are taken for skin."),
        .number(
          "maxHueShift", default: 0.25, in: 0...1, unit: "turns", "The furthest that a hue moves."),
        .number(
          "maxSaturationShift", default: 0.4, in: 0...1, unit: "saturation",
          "The furthest that a saturation moves."),
        .flag(
          "upperSkinToneColor", default: false,
          unit: "what amounts above 0 do: 0 green, 1 orange", "Which way skin goes above 0."),
      ]
    ) { arguments in
      .point(SkinTone(arguments))
    },
    FilterDeclaration(
      "posterize", "Leaves a few levels of each channel.", like: "PosterizeFilter",
      [
        .integer(
          "colorLevels", default: 10, in: 1...256, unit: "levels",
          "How many steps each channel keeps.")
      ]
    ) { arguments in
      .curve(Posterize(levels: arguments.number("colorLevels")))
    },
    FilterDeclaration(
      "opacity", "Makes the picture more transparent.", like: "OpacityFilter",
      [.number("opacity", default: 1, in: 0...1, unit: "fraction", "What alpha is multiplied by.")]
    ) { arguments in
      .curve(Opacity(opacity: arguments.number("opacity")))
    },
  ]
}

/// Overlays the colour of warm light, by an amount that is negative for cold light.
///
/// The tint moves the chroma of YIQ; both matrices are applied transposed, a slip of the original
/// that is kept.
struct WhiteBalance: PointFilter {
  /// The part of the overlay that is mixed in.
  private let warmth: Float
  private let tint: Float

  /// Balances for light of a colour temperature, with a tint −2…2 towards magenta.
  init(kelvin: Float, tint: Float) {
    warmth = (kelvin < 5000 ? 0.0004 : 0.00006) * (kelvin - 5000)
    self.tint = tint
  }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let (r, g, b) = (block.red, block.green, block.blue)
    let x = 0.299 * r + 0.596 * g + 0.212 * b
    let y = 0.587 * r - 0.274 * g - 0.523 * b
    let tinted = 0.114 * r - 0.322 * g + 0.311 * b + Lanes(0.5226 * 0.1 * tint)
    let z = minimum(maximum(tinted, -0.5226), 0.5226)
    block.red = warmed(x + y + z, by: 0.93)
    block.green = warmed(0.956 * x - 0.272 * y - 1.105 * z, by: 0.54)
    block.blue = warmed(0.621 * x - 0.647 * y + 1.702 * z, by: 0)
  }

  @inline(__always)
  private func warmed(_ channel: Lanes, by warm: Float) -> Lanes {
    let light = 1 - 2 * (1 - channel) * Lanes(1 - warm)
    let overlay = select(channel < 0.5, 2 * channel * Lanes(warm), light)
    return mix(channel, overlay, Lanes(warmth))
  }
}

/// Moves the channels from the greatest of them, by three times its distance from their mean.
struct Vibrance: PointFilter {
  let amount: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let greatest = maximum(maximum(block.red, block.green), block.blue)
    let mean = (block.red + block.green + block.blue) * (1 / 3)
    let share = (greatest - mean) * Lanes(-3 * amount)
    block.mapColors { mix($0, greatest, share) }
  }
}

/// Shifts hue or saturation of colours by how near their hue is to that of skin.
///
/// Alpha becomes 1.
struct SkinTone: PointFilter {
  private let skinHue: Float
  private let threshold: Float
  private let hueShift: Float
  private let saturationShift: Float

  static var changesAlpha: Bool { true }

  init(_ arguments: FilterArguments) {
    let amount = arguments.number("skinToneAdjust")
    let shiftsSaturation = arguments.flag("upperSkinToneColor") && amount > 0
    skinHue = arguments.number("skinHue")
    threshold = arguments.number("skinHueThreshold")
    hueShift = shiftsSaturation ? 0 : amount * arguments.number("maxHueShift")
    saturationShift = shiftsSaturation ? amount * arguments.number("maxSaturationShift") : 0
  }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    var color = HueSaturationValue(block)
    var distance = color.hue - Lanes(skinHue)
    distance = select(distance > 0.5, distance - 1, distance)
    distance = select(distance < -0.5, distance + 1, distance)
    let turned = 2 * distance
    let share = (-(turned * turned) * Lanes(threshold)).exponential.clampedToUnit
    color.hue += share * Lanes(hueShift)
    color.saturation += share * Lanes(saturationShift)
    color.store(in: &block)
    block.alpha = 1
  }
}

/// Colours by hue in turns 0…1, saturation and value; the hue of grey is 0.
struct HueSaturationValue {
  var hue: Lanes
  var saturation: Lanes
  var value: Lanes

  /// Converts from red, green and blue.
  @inline(__always)
  init(_ block: ColorBlock) {
    let (r, g, b) = (block.red, block.green, block.blue)
    let greatest = maximum(maximum(r, g), b)
    let chroma = greatest - minimum(minimum(r, g), b)
    let divisor = 1 / maximum(chroma, 1e-10)
    let fromGreen = select(greatest == g, (b - r) * divisor + 2, (r - g) * divisor + 4)
    let sixths = select(greatest == r, (g - b) * divisor, fromGreen)
    hue = (sixths * (1 / 6)).fraction
    saturation = chroma / maximum(greatest, 1e-10)
    value = greatest
  }

  /// Converts to red, green and blue; the saturation is not clamped.
  @inline(__always)
  func store(in block: inout ColorBlock) {
    @inline(__always) func channel(_ turn: Lanes) -> Lanes {
      let ramp = ((hue + turn).fraction * 6 - 3).magnitude - 1
      return value * mix(1, ramp.clampedToUnit, saturation)
    }
    block.red = channel(0)
    block.green = channel(2 / 3)
    block.blue = channel(1 / 3)
  }
}

/// floor(x·n + ½)/n of all channels, alpha among them.
struct Posterize: ChannelFilter {
  let levels: Float

  var mapsAlpha: Bool { true }

  func value(_ value: Float, channel: Int) -> Float {
    (value * levels + 0.5).rounded(.down) / levels
  }
}

/// Multiplies alpha.
struct Opacity: ChannelFilter {
  let opacity: Float

  var mapsAlpha: Bool { true }

  func value(_ value: Float, channel: Int) -> Float { channel == 3 ? value * opacity : value }
}
