/// Filters that go by the luminance of a pixel.
extension FilterCatalogue {
  static let luminanceFilters = [
    FilterDeclaration(
      "luminance-threshold", "Makes pixels white or black by their luminance.",
      like: "LuminanceThresholdFilter",
      [
        .number(
          "threshold", default: 0.5, in: 0...1, unit: "luminance",
          "Where dark ends and light begins.")
      ]
    ) { arguments in
      .point(LuminanceThreshold(threshold: arguments.number("threshold")))
    },
    FilterDeclaration(
      "luminance-range", "Brings light and dark parts closer together.",
      like: "LuminanceRangeFilter",
      [
        .number(
          "rangeReductionFactor", default: 0.6, in: 0...1, unit: "fraction",
          "1 leaves one luminance, 0 leaves all as it is.")
      ]
    ) { arguments in
      .point(LuminanceRange(factor: arguments.number("rangeReductionFactor")))
    },
    FilterDeclaration(
      "solarize", "Inverts the dark parts, as film lit while it is developed.",
      like: "SolarizeFilter",
      [
        .number(
          "threshold", default: 0.5, in: 0...1, unit: "luminance",
          "Where dark ends and light begins.")
      ]
    ) { arguments in
      .point(Solarize(threshold: arguments.number("threshold")))
    },
    FilterDeclaration(
      "monochrome", "Shows the picture in shades of one colour.", like: "MonochromeFilter",
      [
        .number(
          "intensity", default: 1, in: 0...1, unit: "fraction",
          "How much of the shades is mixed in."),
        .color("color", default: [0.6, 0.45, 0.3], "The colour of middle grey."),
      ]
    ) { arguments in
      .point(
        Monochrome(color: arguments.color("color"), intensity: arguments.number("intensity")))
    },
    FilterDeclaration(
      "false-color", "Shows dark as one colour and light as another.", like: "FalseColorFilter",
      [
        .color("firstColor", default: [0, 0, 0.5], "The colour of black."),
        .color("secondColor", default: [1, 0, 0], "The colour of white."),
      ]
    ) { arguments in
      .point(
        FalseColor(dark: arguments.color("firstColor"), light: arguments.color("secondColor")))
    },
    FilterDeclaration(
      "highlight-shadow", "Lightens the shadows and darkens the highlights.",
      like: "HighlightShadowFilter",
      [
        .number(
          "shadows", default: 0, in: 0...1, unit: "fraction", "How much the shadows are lightened."),
        .number(
          "highlights", default: 1, in: 0...1, unit: "fraction",
          "How much of the highlights is kept; less darkens them."),
      ]
    ) { arguments in
      .point(
        HighlightShadow(
          shadows: arguments.number("shadows"), highlights: arguments.number("highlights")))
    },
    FilterDeclaration(
      "highlight-shadow-tint", "Tints the shadows and the highlights.",
      like: "HighlightShadowTintFilter",
      [
        .number(
          "shadowTintIntensity", default: 0, in: 0...1, unit: "fraction",
          "How much of the tint the shadows get."),
        .number(
          "highlightTintIntensity", default: 0, in: 0...1, unit: "fraction",
          "How much of the tint the highlights get."),
        .color("shadowTintColor", default: [1, 0, 0, 1], "The tint of the shadows."),
        .color("highlightTintColor", default: [0, 0, 1, 1], "The tint of the highlights."),
      ]
    ) { arguments in
      .point(
        HighlightShadowTint(
          shadowColor: arguments.color("shadowTintColor"),
          shadowIntensity: arguments.number("shadowTintIntensity"),
          highlightColor: arguments.color("highlightTintColor"),
          highlightIntensity: arguments.number("highlightTintIntensity")))
    },
  ]
}

/// White where the luminance is at least the threshold, else black.
struct LuminanceThreshold: PointFilter {
  let threshold: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    block.setGray(step(Lanes(threshold), block.luminance))
  }
}

/// c + (½ − L)·factor.
struct LuminanceRange: PointFilter {
  let factor: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let move = (0.5 - block.luminance) * Lanes(factor)
    block.mapColors { $0 + move }
  }
}

/// Inverts pixels of a luminance up to the threshold.
struct Solarize: PointFilter {
  let threshold: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let isDark = block.luminance <= Lanes(threshold)
    block.mapColors { select(isDark, 1 - $0, $0) }
  }
}

/// Overlays a colour on the luminance: 2·L·K where L is below ½, else 1 − 2·(1 − L)·(1 − K).
struct Monochrome: PointFilter {
  let color: SIMD3<Float>
  let intensity: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let luminance = block.luminance
    let isDark = luminance < 0.5
    @inline(__always) func overlay(_ channel: Lanes, _ color: Float) -> Lanes {
      let light = 1 - 2 * (1 - luminance) * Lanes(1 - color)
      let shade = select(isDark, 2 * luminance * Lanes(color), light)
      return mix(channel, shade, Lanes(intensity))
    }
    block.red = overlay(block.red, color.x)
    block.green = overlay(block.green, color.y)
    block.blue = overlay(block.blue, color.z)
  }
}

/// Mixes two colours by the luminance.
struct FalseColor: PointFilter {
  let dark: SIMD3<Float>
  let light: SIMD3<Float>

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let luminance = block.luminance
    block.red = mix(Lanes(dark.x), Lanes(light.x), luminance)
    block.green = mix(Lanes(dark.y), Lanes(light.y), luminance)
    block.blue = mix(Lanes(dark.z), Lanes(light.z), luminance)
  }
}

/// Scales a colour by what curves of its luminance l = 0.3·(r + g + b) add to and take from it.
///
/// With p = 1/(shadows + 1) and q = 1/(2 − highlights) they are l^p − 0.76·l^2p − l clamped to 0…1,
/// and 1 − ((1 − l)^q − 0.8·(1 − l)^2q) − l clamped to −1…0. Black stays black.
struct HighlightShadow: PointFilter {
  let shadows: Float
  let highlights: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let luminance = 0.3 * (block.red + block.green + block.blue)
    let raised = luminance.power(Lanes(1 / (shadows + 1)))
    let added = (raised - 0.76 * raised * raised - luminance).clampedToUnit
    let lowered = (1 - luminance).power(Lanes(1 / (2 - highlights)))
    let taken = (luminance - 1 + lowered - 0.8 * lowered * lowered).clampedToUnit
    let scale = (luminance + added - taken) / maximum(luminance, 1e-9)
    block.mapColors { $0 * scale }
  }
}

/// Lightens towards one colour by how dark a pixel is, and darkens towards another by how light.
struct HighlightShadowTint: PointFilter {
  let shadowColor: SIMD3<Float>
  let shadowIntensity: Float
  let highlightColor: SIMD3<Float>
  let highlightIntensity: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let luminance = block.luminance
    @inline(__always) func tint(_ c: Lanes, _ shadow: Float, _ highlight: Float) -> Lanes {
      let lightened = maximum(c, mix(Lanes(shadow), c, luminance))
      let dark = mix(c, lightened, Lanes(shadowIntensity))
      let darkened = minimum(dark, mix(dark, Lanes(highlight), luminance))
      return mix(dark, mix(c, darkened, Lanes(highlightIntensity)), luminance)
    }
    block.red = tint(block.red, shadowColor.x, highlightColor.x)
    block.green = tint(block.green, shadowColor.y, highlightColor.y)
    block.blue = tint(block.blue, shadowColor.z, highlightColor.z)
  }
}
