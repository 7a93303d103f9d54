import CVectors

/// The colours of eight pixels that stand side by side: a channel's values together, 0…1, straight.
struct ColorBlock {
  var red: Lanes
  var green: Lanes
  var blue: Lanes
  var alpha: Lanes

  /// Pixels in a block.
  static let count = 8

  @inline(__always)
  init(red: Lanes, green: Lanes, blue: Lanes, alpha: Lanes) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// One colour in all pixels.
  @inline(__always)
  init(_ color: SIMD4<Float>) {
    self.init(
      red: Lanes(color.x), green: Lanes(color.y), blue: Lanes(color.z), alpha: Lanes(color.w))
  }

  /// The colours of pixels as little-endian words.
  @inline(__always)
  init(words: SIMD8<UInt32>) {
    red = Self.channel(words)
    green = Self.channel(words &>> 8)
    blue = Self.channel(words &>> 16)
    alpha = Self.channel(words &>> 24)
  }

  /// The pixels as little-endian words: clamped, rounded to 8 bits, ties to even; NaN becomes 0.
  var words: SIMD8<UInt32> {
    @inline(__always) get {
      km_words(
        (red * 255).values, (green * 255).values, (blue * 255).values, (alpha * 255).values)
    }
  }

  /// As ``words``, with the alpha of other words.
  @inline(__always)
  func words(withAlphaOf original: SIMD8<UInt32>) -> SIMD8<UInt32> {
    km_words((red * 255).values, (green * 255).values, (blue * 255).values, .zero)
      | (original & SIMD8(repeating: 0xff00_0000))
  }

  /// All channels clamped to 0…1.
  @inline(__always)
  mutating func clampToUnit() {
    clampColorsToUnit()
    alpha = alpha.clampedToUnit
  }

  /// Red, green and blue clamped to 0…1.
  @inline(__always)
  mutating func clampColorsToUnit() {
    red = red.clampedToUnit
    green = green.clampedToUnit
    blue = blue.clampedToUnit
  }

  /// Sets the three colour channels to the same values.
  @inline(__always)
  mutating func setGray(_ gray: Lanes) {
    red = gray
    green = gray
    blue = gray
  }

  /// Maps the three colour channels alike.
  @inline(__always)
  mutating func mapColors(_ transform: (Lanes) -> Lanes) {
    red = transform(red)
    green = transform(green)
    blue = transform(blue)
  }

  /// GPUImage's luminance, near that of BT.709.
  var luminance: Lanes {
    @inline(__always) get { 0.2125 * red + 0.7154 * green + 0.0721 * blue }
  }

  @inline(__always)
  private static func channel(_ words: SIMD8<UInt32>) -> Lanes {
    Lanes(bytes: words) * (1 / 255)
  }
}

/// Where the pixels of a block are in the picture.
struct BlockPlace {
  /// The places across: 0 at the left edge, 1 at the right; a pixel is where its centre is.
  let u: Lanes
  /// The place down: 0 at the top edge, 1 at the bottom, the same in all lanes.
  let v: Lanes

  /// The block from column `x` on of row `y`.
  @inline(__always)
  init(x: Int, y: Int, in size: PixelSize) {
    u = (Lanes(Float(x)) + (Lanes.indices + 0.5)) / Lanes(Float(size.width))
    v = Lanes((Float(y) + 0.5) / Float(size.height))
  }
}
