/// A picture in the making, or a part of one: premultiplied RGBA in 0…1, painted from back to
/// front.
struct Canvas {
  /// The pixels of the scene that this canvas holds.
  let region: Region
  private var pixels: [SIMD4<Float>]

  /// An empty canvas over `region`.
  init(region: Region) {
    self.region = region
    pixels = Array(repeating: .zero, count: region.columns.count * region.rows.count)
  }

  /// An opaque canvas over `region`, each pixel of the colour that its middle has.
  init(region: Region, color: (Point) -> Color) {
    self.region = region
    pixels = region.rows.flatMap { y in
      region.columns.map { x in SIMD4(color(Point(Float(x), Float(y)) + 0.5), 1) }
    }
  }

  /// Paints `shape` over what is there.
  ///
  /// It hides `opacity` (0…1) of what lies behind. Its edge is `softness` pixels wide; 1 is sharp,
  /// and anti-aliased.
  mutating func fill<S: Shape>(
    _ shape: S, _ paint: Paint, opacity: Float = 1, softness: Float = 1
  ) {
    let bounds = shape.bounds
    let touched = Region(from: bounds.low, to: bounds.high, margin: softness).intersection(region)
    for y in touched.rows {
      let row = (y - region.rows.lowerBound) * region.columns.count - region.columns.lowerBound
      for x in touched.columns {
        let point = Point(Float(x), Float(y)) + 0.5
        let alpha = shape.coverage(at: point, softness: softness) * opacity
        guard alpha > 0 else { continue }
        let source = SIMD4(paint.color(at: point), 1) * alpha
        pixels[row + x] = source + pixels[row + x] * (1 - alpha)
      }
    }
  }

  /// Paints `shape` with an outline of `width` pixels around it.
  mutating func fill<S: Shape>(_ shape: S, _ paint: Paint, outline: Paint, width: Float) {
    fill(Grown(base: shape, margin: width), outline)
    fill(shape, paint)
  }

  /// Paints what moves while the shutter is open: the mean of `samples` pictures of it.
  ///
  /// The moving things touch no pixel outside `part`; `draw` paints them as they are at a moment of
  /// the opening, 0…1.
  mutating func exposed(
    over part: Region, samples: Int, draw: (inout Canvas, _ moment: Float) -> Void
  ) {
    let touched = part.intersection(region)
    var sum = Canvas(region: touched)
    for sample in 0..<samples {
      var layer = Canvas(region: touched)
      draw(&layer, (Float(sample) + 0.5) / Float(samples))
      for index in sum.pixels.indices {
        sum.pixels[index] += layer.pixels[index]
      }
    }
    overlay(sum, scale: 1 / Float(samples))
  }

  /// The picture, with colours divided by alpha and rounded to eight bits.
  func picture() -> Picture {
    let straight = pixels.map { pixel -> SIMD4<UInt8> in
      let alpha = (pixel.w * 255).rounded(.toNearestOrEven)
      guard alpha > 0 else { return .zero }
      var color = pixel * (255 / pixel.w)
      color.w = alpha
      return SIMD4(byte(color.x), byte(color.y), byte(color.z), byte(color.w))
    }
    return Picture(width: region.columns.count, height: region.rows.count, pixels: straight)
  }

  /// Lays a smaller canvas over this one, its values times `scale`.
  private mutating func overlay(_ layer: Canvas, scale: Float) {
    let width = layer.region.columns.count
    for y in layer.region.rows {
      let target =
        (y - region.rows.lowerBound) * region.columns.count
        + layer.region.columns.lowerBound - region.columns.lowerBound
      let source = (y - layer.region.rows.lowerBound) * width
      for x in 0..<width {
        let pixel = layer.pixels[source + x] * scale
        pixels[target + x] = pixel + pixels[target + x] * (1 - pixel.w)
      }
    }
  }
}
