// Blends that lighten and darken; b, B are colour and alpha of the picture, o, O those of the other.
// "rest" is o·(1 − B) + b·(1 − O), what each shows where the other is transparent.

/// 1 − (1 − b)/o, for alpha too; 0 where o is.
struct ColorBurnBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay) { b, o in
      // A divisor of 1 where the quotient is not taken.
      select(o > 0, 1 - (1 - b) / select(o > 0, o, 1), 0)
    }
  }
}

/// b·O/(1 − u) + rest where o·B + b·O ≤ O·B, else O·B + rest, where u is o/O, at most 0.99; opaque.
struct ColorDodgeBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let both = overlay.alpha * base.alpha
    let divisor = maximum(overlay.alpha, 0.01)
    return base.combined(with: overlay, alpha: 1) { b, o in
      let straight = minimum(o / divisor, 0.99)
      let product = b * overlay.alpha
      // The products are multiples of 1/65025: what is more than this is so but for rounding.
      let isDodged = o * base.alpha + product <= both + 2e-6
      return select(isDodged, product / (1 - straight), both) + base.rest(b, o, overlay)
    }
  }
}

/// 2·o·b + rest where 2·b < B, else O·B − 2·(B − b)·(O − o) + rest; opaque.
struct OverlayBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: 1) { b, o in
      base.hardLight(b, o, overlay, isDark: 2 * b < base.alpha)
    }
  }
}

/// As ``OverlayBlend``, but where 2·o < O.
struct HardLightBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: 1) { b, o in
      base.hardLight(b, o, overlay, isDark: 2 * o < overlay.alpha)
    }
  }
}

/// b·(O·k + 2·o·(1 − k)) + rest, where k = b/B, for alpha too.
struct SoftLightBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let scale = 1 / select(base.alpha > 0, base.alpha, 1)
    return base.combined(with: overlay) { b, o in
      let share = b * scale
      return b * (overlay.alpha * share + 2 * o * (1 - share)) + base.rest(b, o, overlay)
    }
  }
}

extension ColorBlock {
  /// A channel of the two formulas that hard light and overlay choose from.
  @inline(__always)
  fileprivate func hardLight(
    _ b: Lanes, _ o: Lanes, _ overlay: ColorBlock, isDark: LaneMask
  ) -> Lanes {
    let dark = 2 * o * b
    let light = overlay.alpha * alpha - 2 * (alpha - b) * (overlay.alpha - o)
    return select(isDark, dark, light) + rest(b, o, overlay)
  }
}
