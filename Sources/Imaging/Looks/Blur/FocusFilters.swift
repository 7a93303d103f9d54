/// Filters that mix the picture with the same picture blurred.
extension FilterCatalogue {
  static let focusFilters = [
    FilterDeclaration(
      "unsharp-mask", "Sharpens by taking away what a blur would leave.", like: "UnsharpMaskFilter",
      [
        .sigma(default: 4),
        .number(
          "intensity", default: 1, from: 0, unit: "factor",
          "1 leaves the picture, above sharpens, 0 is the blur alone."),
      ]
    ) { arguments in
      .rows(
        Blur(arguments.gaussianBlur, mix: UnsharpMask(intensity: arguments.number("intensity"))))
    },
    FilterDeclaration(
      "tilt-shift", "Keeps a band of the picture in focus, as in a photo of a model.",
      like: "TiltShiftFilter",
      [
        .sigma(default: 7),
        .number(
          "topFocusLevel", default: 0.4, in: 0...1, unit: "fraction of the height",
          "Where the sharp band begins."),
        .number(
          "bottomFocusLevel", default: 0.6, in: 0...1, unit: "fraction of the height",
          "Where the sharp band ends."),
        .number(
          "focusFallOffRate", default: 0.2, in: 0...1, unit: "fraction of the height",
          "How far it is from sharp to blurred."),
      ]
    ) { arguments in
      .rows(
        Blur(
          arguments.gaussianBlur,
          mix: TiltShift(
            top: arguments.number("topFocusLevel"), bottom: arguments.number("bottomFocusLevel"),
            fallOff: arguments.number("focusFallOffRate"))))
    },
    FilterDeclaration(
      "gaussian-selective-blur", "Keeps a disc of the picture in focus.",
      like: "GaussianSelectiveBlurFilter",
      [
        .sigma(default: 5),
        .number(
          "excludeCircleRadius", default: 0.1875, in: 0...1, unit: "fraction of the width",
          "How far the disc that stays sharp reaches."),
        .point("excludeCirclePoint", "The centre of the disc that stays sharp."),
        .number(
          "excludeBlurSize", default: 0.09375, in: 0...1, unit: "fraction of the width",
          "How wide the disc's soft edge is."),
      ]
    ) { arguments in
      .rows(
        Blur(
          arguments.gaussianBlur,
          mix: FocusDisc(
            center: arguments.point("excludeCirclePoint"),
            radius: arguments.number("excludeCircleRadius"),
            border: arguments.number("excludeBlurSize"))))
    },
    FilterDeclaration(
      "soft-elegance", "Gives a soft glow between two tables of colours.",
      like: "SoftEleganceFilter", pictures: [tableDescription, tableDescription]
    ) { arguments in
      .sequence([
        .point(ColorLookup(table: arguments.pictures[0], intensity: 1)),
        .rows(Blur(BlurPlan(.gaussian(sigma: 10)), mix: SoftGlow(share: 0.14))),
        .point(ColorLookup(table: arguments.pictures[1], intensity: 1)),
      ])
    },
  ]
}

/// c·k + blurred·(1 − k), with the alpha of the sharp picture.
struct UnsharpMask: BlurMix {
  let intensity: Float

  @inline(__always)
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32> {
    ColorBlock(words: blurred).mixed(with: ColorBlock(words: sharp), by: Lanes(intensity))
      .words(withAlphaOf: sharp)
  }
}

/// Sharp between two heights, and less so with the distance beyond them.
struct TiltShift: BlurMix {
  let top: Float
  let bottom: Float
  let fallOff: Float

  @inline(__always)
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32> {
    let above = 1 - smoothstep(Lanes(top - fallOff), Lanes(top), place.v)
    let below = smoothstep(Lanes(bottom), Lanes(bottom + fallOff), place.v)
    return ColorBlock(words: sharp).mixed(with: ColorBlock(words: blurred), by: above + below).words
  }
}

/// Sharp in a disc, and less so from `border` inside its edge to the edge.
///
/// Heights are measured with the aspect the other way round than elsewhere, as in the original.
struct FocusDisc: BlurMix {
  let center: SIMD2<Float>
  let radius: Float
  let border: Float

  @inline(__always)
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32> {
    let aspect = Float(size.width) / Float(size.height)
    let x = place.u - Lanes(center.x)
    let y = place.v * Lanes(aspect) + Lanes(0.5 - 0.5 * aspect - center.y)
    let share = smoothstep(
      Lanes(radius - border), Lanes(radius), (x * x + y * y).squareRoot)
    return ColorBlock(words: sharp).mixed(with: ColorBlock(words: blurred), by: share).words
  }
}

/// Sharp with a share of the blurred colours laid over, as far as they are opaque.
struct SoftGlow: BlurMix {
  let share: Float

  @inline(__always)
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32> {
    let glow = ColorBlock(words: blurred)
    return ColorBlock(words: sharp).mixed(with: glow, by: glow.alpha * Lanes(share))
      .words(withAlphaOf: sharp)
  }
}

extension ColorBlock {
  /// All channels mixed with those of another block, of which `share` is taken.
  @inline(__always)
  fileprivate func mixed(with other: ColorBlock, by share: Lanes) -> ColorBlock {
    ColorBlock(
      red: mix(red, other.red, share), green: mix(green, other.green, share),
      blue: mix(blue, other.blue, share), alpha: mix(alpha, other.alpha, share))
  }
}
