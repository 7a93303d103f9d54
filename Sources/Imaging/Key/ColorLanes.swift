import CVectors

/// The colours of eight pixels in 8-bit steps, or differences of them.
struct ColorLanes {
  var red, green, blue: SIMD8<Float>

  /// The weight of chroma where luma has 1.
  private static let chromaWeight: Float = 0.2

  @inline(always)
  init(red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  @inline(always)
  init(_ pixels: PixelLanes) {
    (red, green, blue) = (pixels.red.floats, pixels.green.floats, pixels.blue.floats)
  }

  /// The colours within 0…255.
  @inline(always)
  var bounded: Self {
    Self(
      red: red.clamped(to: 255), green: green.clamped(to: 255), blue: blue.clamped(to: 255))
  }

  @inline(always)
  var squaredLength: SIMD8<Float> { red * red + green * green + blue * blue }

  /// The mean of the channels' magnitudes.
  @inline(always)
  var meanMagnitude: SIMD8<Float> {
    (red.magnitude + green.magnitude + blue.magnitude) * (1 / 3)
  }

  /// Pixels as words, red in the low byte, of bounded colours and an alpha 0…1.
  @inline(always)
  func pixels(alpha: SIMD8<Float>) -> SIMD8<UInt32> {
    km_words(red, green, blue, alpha * 255)
  }

  /// The share of this difference in another, 0…1, and the length of what it leaves of that.
  @inline(always)
  func projection(of other: Self) -> (share: SIMD8<Float>, residue: SIMD8<Float>) {
    let (f, c) = (weighted, other.weighted)
    let product = f.red * c.red + f.green * c.green + f.blue * c.blue
    let share = (product / f.squaredLength.greater(SIMD8(repeating: 6.5))).clamped(to: 1)
    return (share, (c - f * share).squaredLength.root)
  }

  /// Luma by the weights of BT.601.
  @inline(always)
  var luma: SIMD8<Float> { 0.299 * red + 0.587 * green + 0.114 * blue }

  /// Luma, and chroma by its weight (BT.601), in place of the channels.
  @inline(always)
  private var weighted: Self {
    let luma = luma
    return Self(
      red: luma, green: (blue - luma) * (0.5643 * Self.chromaWeight),
      blue: (red - luma) * (0.7133 * Self.chromaWeight))
  }

  @inline(always)
  static func + (a: Self, b: Self) -> Self {
    Self(red: a.red + b.red, green: a.green + b.green, blue: a.blue + b.blue)
  }

  @inline(always)
  static func - (a: Self, b: Self) -> Self {
    Self(red: a.red - b.red, green: a.green - b.green, blue: a.blue - b.blue)
  }

  /// The difference from one colour.
  @inline(always)
  static func - (a: Self, b: SIMD3<Float>) -> Self {
    Self(red: a.red - b.x, green: a.green - b.y, blue: a.blue - b.z)
  }

  /// The sum with one colour.
  @inline(always)
  static func + (a: Self, b: SIMD3<Float>) -> Self {
    Self(red: a.red + b.x, green: a.green + b.y, blue: a.blue + b.z)
  }

  @inline(always)
  static func * (color: Self, factor: SIMD8<Float>) -> Self {
    Self(red: color.red * factor, green: color.green * factor, blue: color.blue * factor)
  }
}

/// A screen that pixels are solved against.
struct ScreenLanes {
  /// The colour in 8-bit steps.
  let color: SIMD3<Float>
  /// Whether it has a hue that can be taken from others.
  let hasHue: Bool
  /// What one step of excess that is taken does to each channel: it lowers the strong ones, and half of
  /// the luma that this takes is put back as grey.
  let taking: SIMD3<Float>
  /// Its luma in 8-bit steps.
  let luma: Float
  /// What one step of luma more than the screen's is of the way to black, which is negative, and of the
  /// way to white; of a way so short that noise would count, less.
  let darkening, brightening: Float
  /// The channel that is alone on its side, strong or not (see ``ColorDifference``).
  private let lone: Channel
  /// 1 where the lone channel is strong, −1 where the two others are.
  private let sign: Float

  private enum Channel { case red, green, blue }

  /// A measured screen.
  init(_ measurement: KeyMeasurement) {
    let channels = measurement.color.channels
    color = channels * 255
    let difference = ColorDifference(screen: channels)
    hasHue = difference != nil
    let isStrong = difference?.isStrong ?? SIMDMask(repeating: false)
    let strong = SIMD3<Float>.zero.replacing(with: 1, where: isStrong)
    let weights = SIMD3<Float>(0.299, 0.587, 0.114)
    taking = (weights * strong).sum() / 2 - strong
    luma = (weights * color).sum()
    darkening = -1 / max(luma, 64)
    brightening = 1 / max(255 - luma, 64)
    sign = strong.sum() == 1 ? 1 : -1
    let isLone = sign > 0 ? isStrong : .!isStrong
    lone = isLone[0] ? .red : isLone[1] ? .green : .blue
  }

  /// How far colours lean to the screen's hue; negative where they lean away.
  @inline(always)
  func excess(of other: ColorLanes) -> SIMD8<Float> {
    switch lone {
    case .red: excess(other.red, over: other.green, other.blue)
    case .green: excess(other.green, over: other.red, other.blue)
    case .blue: excess(other.blue, over: other.red, other.green)
    }
  }

  /// The weakest strong channel less the strongest other one.
  @inline(always)
  private func excess(
    _ lone: SIMD8<Float>, over a: SIMD8<Float>, _ b: SIMD8<Float>
  ) -> SIMD8<Float> { lone * sign - (a * sign).greater(b * sign) }
}
