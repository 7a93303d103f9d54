// Blends that lay one picture over the other; b, B are colour and alpha of the picture, o, O those
// of the other.

/// mix(b, o, O·share), with the alpha of the picture.
struct AlphaBlend: BlendRule {
  let share: Float

  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let share = overlay.alpha * Lanes(share)
    return base.combined(with: overlay, alpha: base.alpha) { b, o in mix(b, o, share) }
  }
}

/// mix(b, o, share), for alpha too.
struct DissolveBlend: BlendRule {
  let share: Float

  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay) { b, o in mix(b, o, Lanes(share)) }
  }
}

/// (o·O + b·B·(1 − O))/A, where the alpha A = O + B·(1 − O): "over" of straight colours (Porter and
/// Duff 1984); 0 where A is.
struct NormalBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let rest = base.alpha * (1 - overlay.alpha)
    let alpha = overlay.alpha + rest
    // Where A is 0, so are both shares.
    let scale = 1 / maximum(alpha, 1e-6)
    let (share, baseShare) = (overlay.alpha * scale, rest * scale)
    return base.combined(with: overlay, alpha: alpha) { b, o in o * share + b * baseShare }
  }
}

/// mix(b, o, O), for alpha too.
struct SourceOverBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay) { b, o in mix(b, o, overlay.alpha) }
  }
}

/// b·m with alpha m², where m is the mean of o, times O.
///
/// The original puts m into alpha and draws that onto nothing with alpha blending, which multiplies
/// all channels by alpha.
struct MaskBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let mean = (overlay.red + overlay.green + overlay.blue) * 0.33333334
    let mask = mean * overlay.alpha
    return ColorBlock(
      red: base.red * mask, green: base.green * mask, blue: base.blue * mask, alpha: mask * mask)
  }
}
