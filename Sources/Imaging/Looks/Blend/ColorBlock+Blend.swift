/// What the formulas of many blends have in common.
extension ColorBlock {
  /// A function of each channel of two colours, alpha too.
  @inline(__always)
  func combined(
    with other: ColorBlock, _ channel: (_ own: Lanes, _ other: Lanes) -> Lanes
  ) -> ColorBlock {
    combined(with: other, alpha: channel(alpha, other.alpha), channel)
  }

  /// A function of each colour channel of two colours, with an alpha.
  @inline(__always)
  func combined(
    with other: ColorBlock, alpha: Lanes, _ channel: (_ own: Lanes, _ other: Lanes) -> Lanes
  ) -> ColorBlock {
    ColorBlock(
      red: channel(red, other.red), green: channel(green, other.green),
      blue: channel(blue, other.blue), alpha: alpha)
  }

  /// What each colour shows where the other is transparent, of channels of both.
  @inline(__always)
  func rest(_ own: Lanes, _ theirs: Lanes, _ other: ColorBlock) -> Lanes {
    theirs * (1 - alpha) + own * (1 - other.alpha)
  }

  /// The alpha of two colours of which either covers.
  @inline(__always)
  func unionAlpha(with other: ColorBlock) -> Lanes {
    other.alpha + alpha - other.alpha * alpha
  }
}
