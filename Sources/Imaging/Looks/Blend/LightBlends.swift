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

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let (b, o) = (ChannelCodes(base), ChannelCodes(overlay))
    let (alpha, otherAlpha) = (ChannelCodes(alphaOf: base), ChannelCodes(alphaOf: overlay))
    let rest = CodeProducts(o, alpha.complement) + CodeProducts(b, otherAlpha.complement)
    let both = CodeProducts(alpha, otherAlpha)
    let sum = CodeProducts(o, alpha) + CodeProducts(b, otherAlpha)
    let colors = (o.full + b.full).replaced(by: both + rest, whereAtLeast: both, sum)
    return colors.words.withAlpha(of: ScreenBlend().blend(base, overlay))
  }

  static var hasOpaqueForm: Bool { true }

  @inline(__always)
  func blendOpaque(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    PixelBytes(base).sum(PixelBytes(overlay)).words
  }
}

/// b − o, with the alpha of the picture.
struct SubtractBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: base.alpha) { b, o in b - o }
  }

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    PixelBytes(base).excess(over: PixelBytes(overlay)).words.withAlpha(of: base)
  }
}

/// |o − b|, with the alpha of the picture.
struct DifferenceBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: base.alpha) { b, o in (o - b).magnitude }
  }

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let (b, o) = (PixelBytes(base), PixelBytes(overlay))
    return (b.excess(over: o).words | o.excess(over: b).words).withAlpha(of: base)
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

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let (b, o) = (ChannelCodes(base), ChannelCodes(overlay))
    let sum = CodeProducts(o, b.complement) + CodeProducts(b, o.complement)
    return sum.words.withAlpha(of: base)
  }
}

/// o·b + rest, for alpha too.
struct MultiplyBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay) { b, o in o * b + base.rest(b, o, overlay) }
  }

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let (b, o) = (ChannelCodes(base), ChannelCodes(overlay))
    let (alpha, otherAlpha) = (ChannelCodes(alphaOf: base), ChannelCodes(alphaOf: overlay))
    let rest = CodeProducts(o, alpha.complement) + CodeProducts(b, otherAlpha.complement)
    return (CodeProducts(o, b) + rest).words
  }

  static var hasOpaqueForm: Bool { true }

  @inline(__always)
  func blendOpaque(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    CodeProducts(ChannelCodes(base), ChannelCodes(overlay)).wordsInRange
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

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    ~CodeProducts(ChannelCodes(~base), ChannelCodes(~overlay)).wordsInRange
  }
}

/// The greater of b and o, for alpha too.
struct LightenBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay) { b, o in maximum(b, o) }
  }

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    PixelBytes(base).greater(PixelBytes(overlay)).words
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

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let (b, o) = (ChannelCodes(base), ChannelCodes(overlay))
    let (alpha, otherAlpha) = (ChannelCodes(alphaOf: base), ChannelCodes(alphaOf: overlay))
    let rest = CodeProducts(o, alpha.complement) + CodeProducts(b, otherAlpha.complement)
    let lesser = CodeProducts(o, alpha).lesser(CodeProducts(b, otherAlpha))
    return (lesser + rest).words | SIMD8(repeating: 0xff00_0000)
  }

  static var hasOpaqueForm: Bool { true }

  @inline(__always)
  func blendOpaque(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    PixelBytes(base).lesser(PixelBytes(overlay)).words
  }
}

/// b + o − 1, with the alpha of the picture.
struct LinearBurnBlend: BlendRule {
  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    base.combined(with: overlay, alpha: base.alpha) { b, o in b + o - 1 }
  }

  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    PixelBytes(base).excess(over: PixelBytes(~overlay)).words.withAlpha(of: base)
  }
}
