/// Bilinear samples of a picture at any place, as a texture's with its edge pixels repeated outside.
@safe
struct PictureSampler: ~Escapable {
  /// The size of the picture.
  let size: PixelSize
  /// The picture's height over its width.
  let aspect: Float
  /// The first pixel, which outlives the sampler by its lifetime.
  private let base: UnsafeRawPointer
  private let across: Axis
  private let down: Axis
  private let width: Int32

  /// Samples a picture.
  @_lifetime(borrow picture)
  init(_ picture: borrowing RGBAImage) {
    size = picture.size
    aspect = Float(picture.height) / Float(picture.width)
    across = Axis(count: picture.width)
    down = Axis(count: picture.height)
    width = Int32(picture.width)
    let pixels = picture.pixels.span
    unsafe base = pixels.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("a picture has pixels") }
      return unsafe base
    }
  }

  /// The colours at places `u` across and `v` down, 0…1 from edge to edge.
  ///
  /// Each is mixed from the four pixels around it. NaN counts as a place at the border.
  @inline(__always)
  func sample(u: Lanes, v: Lanes) -> ColorBlock {
    let column = across.place(u)
    let row = down.place(v)
    let first = (row.index &* SIMD8(repeating: width) &+ column.index) &<< 2
    let below = down.step &* size.width &* 4
    let top = pairs(at: first, 0)
    let bottom = pairs(at: first, below)
    return PixelCorners(
      topLeft: top.first, topRight: top.second, bottomLeft: bottom.first,
      bottomRight: bottom.second
    ).mixed(column.share, row.share)
  }

  /// The pixels at byte offsets from the one that is `offset` bytes after the first, and those to the
  /// right of them.
  @inline(__always)
  private func pairs(at offsets: SIMD8<Int32>, _ offset: Int) -> PixelPairs {
    // In bounds: places are clamped so that the pixels beside them are in the picture, but that in
    // one of a single column there are none to the right, of which the share is nothing.
    width > 1
      ? unsafe PixelPairs(base + offset, offsets)
      : unsafe PixelPairs(lone: base + offset, offsets)
  }
}

/// The pixels of a picture along one of its sides.
private struct Axis {
  private let scale: Float
  private let lastFirst: Int32
  /// From a pixel to the next; nothing where there is only one.
  let step: Int

  init(count: Int) {
    scale = Float(count)
    lastFirst = Int32(max(count - 2, 0))
    step = min(count - 1, 1)
  }

  /// The pixel before each place, of those that have one behind them, and the share of that one.
  ///
  /// Clamps on integers and bits, which unlike the choice of floats all become vector instructions.
  @inline(__always)
  func place(_ place: Lanes) -> (index: SIMD8<Int32>, share: Lanes) {
    let position = place.clampedToUnit * Lanes(scale) - 0.5
    // The sum of 1.5·2²³ holds the whole number in its bits. On a pixel's very centre it may be the
    // pixel before; the share is 1 then, and the mix the same.
    let whole = Lanes(bits: SIMD8(repeating: 0x4b40_0000))
    let bits = (position - 0.5 + whole).bits &- whole.bits
    let positive = bits & ~(bits &>> 31)
    let last = SIMD8(repeating: lastFirst)
    let excess = positive &- last
    let index = last &+ (excess & (excess &>> 31))
    let before = Lanes(bits: index &+ whole.bits) - whole
    return (index, (position - before).clampedToUnit)
  }
}
