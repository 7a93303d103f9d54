// Blends that exchange hue, saturation or luminosity (the "non-separable" blend modes of PDF 1.7,
// ISO 32000-1 §11.3.5.3), as GPUImage has them; b is the colour of the picture, o, O are colour and
// alpha of the other. All give b·(1 − O) + x·O with the picture's alpha.

/// x has the hue and saturation of o and the luminosity of b.
struct ColorBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.covered(by: Hues(overlay).withLuminosity(Hues(base).luminosity), overlay.alpha)
  }
}

/// x has the luminosity of o, and hue and saturation of b.
struct LuminosityBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.covered(by: Hues(base).withLuminosity(Hues(overlay).luminosity), overlay.alpha)
  }
}

/// x has the hue of o, and saturation and luminosity of b.
struct HueBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let hues = Hues(overlay).withSaturation(Hues(base).saturation)
    return base.covered(by: hues.withLuminosity(Hues(base).luminosity), overlay.alpha)
  }
}

/// x has the saturation of o, and hue and luminosity of b.
struct SaturationBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let hues = Hues(base).withSaturation(Hues(overlay).saturation)
    return base.covered(by: hues.withLuminosity(Hues(base).luminosity), overlay.alpha)
  }
}

/// Colours whose saturation and luminosity can be set; channels may leave 0…1.
private struct Hues {
  let red: Lanes
  let green: Lanes
  let blue: Lanes

  @inline(__always)
  init(red: Lanes, green: Lanes, blue: Lanes) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  @inline(__always)
  init(_ block: ColorBlock) { self.init(red: block.red, green: block.green, blue: block.blue) }

  var least: Lanes { @inline(__always) get { minimum(minimum(red, green), blue) } }
  var greatest: Lanes { @inline(__always) get { maximum(maximum(red, green), blue) } }
  var saturation: Lanes { @inline(__always) get { greatest - least } }
  var luminosity: Lanes { @inline(__always) get { 0.3 * red + 0.59 * green + 0.11 * blue } }

  @inline(__always)
  private func map(_ transform: (Lanes) -> Lanes) -> Hues {
    Hues(red: transform(red), green: transform(green), blue: transform(blue))
  }

  /// Moved to a luminosity, then drawn towards it as far as channels left 0…1.
  @inline(__always)
  func withLuminosity(_ wanted: Lanes) -> Hues {
    let shift = wanted - luminosity
    let moved = map { $0 + shift }
    let (middle, least, greatest) = (moved.luminosity, moved.least, moved.greatest)
    // The divisors are positive where they count: the luminosity lies between the extremes.
    let low = select(least < 0, middle / maximum(middle - least, 1e-6), 1)
    let high = select(greatest > 1, (1 - middle) / maximum(greatest - middle, 1e-6), 1)
    let scale = low * high
    return moved.map { middle + ($0 - middle) * scale }
  }

  /// Stretched so that the least channel is 0 and the greatest is `wanted`.
  ///
  /// Two slips of the original shader are kept: where red exceeds green but not blue, red becomes 0
  /// and green stays as it is; where green and blue are the same and no less than red, all is black.
  @inline(__always)
  func withSaturation(_ wanted: Lanes) -> Hues {
    let least = self.least
    let scale = wanted / maximum(greatest - least, 1e-6)
    let isPurple = (red > green) & (blue >= red)
    let isBlack = (red <= green) & (green == blue)
    let stretched = map { select(isBlack, 0, ($0 - least) * scale) }
    return Hues(
      red: select(isPurple, 0, stretched.red), green: select(isPurple, green, stretched.green),
      blue: stretched.blue)
  }
}

extension ColorBlock {
  /// The colours under others of an alpha.
  @inline(__always)
  fileprivate func covered(by hues: Hues, _ share: Lanes) -> ColorBlock {
    ColorBlock(
      red: mix(red, hues.red, share), green: mix(green, hues.green, share),
      blue: mix(blue, hues.blue, share), alpha: alpha)
  }
}
