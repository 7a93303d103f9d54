// Blends that add light or take it away; b, B are colour and alpha of the picture, o, O those of the
// other. "rest" is o·(1 − B) + b·(1 − O), what each shows where the other is transparent.

/// O·B + rest where o·B + b·O ≥ O·B, else o + b; alpha O + B − O·B.
struct AddBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let both = overlay.alpha * base.alpha
    return base.combined(with: overlay, alpha: base.unionAlpha(with: overlay)) { b, o in
      let sum = o * base.alpha + b * overlay.alpha
      // o + b is the sum and the rest.
      return select(sum >= both, both + base.rest(b, o, overlay), o + b)
    }
  }
}

/// b − o, with the alpha of the picture.
struct SubtractBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: base.alpha) { b, o in b - o }
  }
}

/// |o − b|, with the alpha of the picture.
struct DifferenceBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: base.alpha) { b, o in (o - b).magnitude }
  }
}

/// o·B + b·O − 2·b·o + rest, with the alpha of the picture.
struct ExclusionBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: base.alpha) { b, o in
      // The shares of each picture in the sum and in the rest make a whole.
      o + b - 2 * b * o
    }
  }
}

/// o·b + rest, for alpha too.
struct MultiplyBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay) { b, o in o * b + base.rest(b, o, overlay) }
  }
}

/// b·O²/o + rest, but O·B + rest where b/o > B/O or O = 0; alpha O + B − O·B.
struct DivideBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let both = overlay.alpha * base.alpha
    let square = overlay.alpha * overlay.alpha
    return base.combined(with: overlay, alpha: base.unionAlpha(with: overlay)) { b, o in
      // The least code is above the least divisor; 0/0 becomes 0, as the original stores it.
      let quotient = b * square / maximum(o, 1e-6)
      let isFull = (b * overlay.alpha > base.alpha * o) | (overlay.alpha == 0)
      return select(isFull, both, quotient) + base.rest(b, o, overlay)
    }
  }
}

/// 1 − (1 − o)·(1 − b), for alpha too.
struct ScreenBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay) { b, o in 1 - (1 - o) * (1 - b) }
  }
}

/// The greater of b and o, for alpha too.
struct LightenBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay) { b, o in maximum(b, o) }
  }
}

/// The lesser of o·B and b·O, and the rest; opaque.
struct DarkenBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: 1) { b, o in
      minimum(o * base.alpha, b * overlay.alpha) + base.rest(b, o, overlay)
    }
  }
}

/// b + o − 1, with the alpha of the picture.
struct LinearBurnBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: base.alpha) { b, o in b + o - 1 }
  }
}
