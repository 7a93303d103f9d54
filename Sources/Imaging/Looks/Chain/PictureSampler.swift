/// Bilinear samples of a picture at any place, as a texture's with its edge pixels repeated outside.
struct PictureSampler: ~Escapable {
  /// The size of the picture.
  let size: PixelSize
  private let pixels: Span<SIMD4<UInt8>>

  /// Samples a picture.
  @_lifetime(borrow picture)
  init(_ picture: borrowing RGBAImage) {
    size = picture.size
    pixels = picture.pixels.span
  }

  /// The picture's height over its width.
  var aspect: Float { Float(size.height) / Float(size.width) }

  /// The colours at places `u` across and `v` down, 0…1 from edge to edge.
  ///
  /// Each is mixed from the four pixels around it. NaN counts as 0.
  @inline(__always)
  func sample(u: Lanes, v: Lanes) -> ColorBlock {
    let across = Self.taps(u, count: size.width)
    let down = Self.taps(v, count: size.height)
    let (top, bottom) = (down.first &* width, down.second &* width)
    let above = Self.mix(
      gather(top &+ across.first), gather(top &+ across.second), across.share)
    let below = Self.mix(
      gather(bottom &+ across.first), gather(bottom &+ across.second), across.share)
    return Self.mix(above, below, down.share)
  }

  private var width: SIMD8<Int32> {
    @inline(__always) get { SIMD8(repeating: Int32(truncatingIfNeeded: size.width)) }
  }

  /// The two samples beside places along an axis of `count` pixels, and the second one's share.
  private struct Taps {
    let first: SIMD8<Int32>
    let second: SIMD8<Int32>
    let share: Lanes
  }

  @inline(__always)
  private static func taps(_ place: Lanes, count: Int) -> Taps {
    let last = Lanes(Float(count &- 1))
    // Clamping the position gives what clamping both samples gives: their mix is the edge pixel.
    let position = minimum(maximum(place * Lanes(Float(count)) - 0.5, 0), last)
    let below = position.floor
    // The sum holds the whole number in its lowest bits.
    let first = Lanes(below.values + 8_388_608).bits & SIMD8(repeating: 0x7f_ffff)
    let second = Lanes(minimum(below + 1, last).values + 8_388_608).bits
    return Taps(
      first: first, second: second & SIMD8(repeating: 0x7f_ffff), share: position - below)
  }

  @inline(__always)
  private func gather(_ indices: SIMD8<Int32>) -> ColorBlock {
    @inline(__always) func word(_ index: Int32) -> UInt32 {
      // In bounds: both taps are clamped to the picture.
      unsafe unsafeBitCast(
        pixels[unchecked: Int(truncatingIfNeeded: index)], to: UInt32.self
      ).littleEndian
    }
    return ColorBlock(
      words: SIMD8(
        word(indices[0]), word(indices[1]), word(indices[2]), word(indices[3]),
        word(indices[4]), word(indices[5]), word(indices[6]), word(indices[7])))
  }

  @inline(__always)
  private static func mix(_ a: ColorBlock, _ b: ColorBlock, _ share: Lanes) -> ColorBlock {
    ColorBlock(
      red: a.red + (b.red - a.red) * share, green: a.green + (b.green - a.green) * share,
      blue: a.blue + (b.blue - a.blue) * share, alpha: a.alpha + (b.alpha - a.alpha) * share)
  }
}
