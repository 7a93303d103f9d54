/// Filters that blend two pictures.
///
/// In their formulas b, B are colour and alpha of the picture, o, O those of the other.
extension FilterCatalogue {
  static let blendFilters: [FilterDeclaration] = [
    .blend(
      "blend-multiply", "Multiplies the pictures, as two slides in one projector.",
      like: "MultiplyBlendFilter"
    ) { _ in MultiplyBlend() }
  ]
}

/// o·b + o·(1 − B) + b·(1 − O), for alpha too.
struct MultiplyBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    @inline(__always) func channel(_ b: Lanes, _ o: Lanes) -> Lanes {
      o * b + o * (1 - base.alpha) + b * (1 - overlay.alpha)
    }
    return ColorBlock(
      red: channel(base.red, overlay.red), green: channel(base.green, overlay.green),
      blue: channel(base.blue, overlay.blue), alpha: channel(base.alpha, overlay.alpha))
  }
}
