import SampleScenes

/// A picture in the making: premultiplied RGBA in 0…1, painted from back to front.
struct Layer {
  let width: Int
  let height: Int
  private(set) var pixels: [SIMD4<Float>]

  /// An empty layer.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = Array(repeating: .zero, count: width * height)
  }

  /// A hundredth of the smaller side: scenes are drawn in it, whatever the size.
  var unit: Float { Float(min(width, height)) / 100 }

  /// The point at (x, y) units from the middle.
  func place(_ x: Float, _ y: Float) -> Point {
    Point(Float(width), Float(height)) / 2 + Point(x, y) * unit
  }

  /// Paints `form` over what is there, in one colour.
  mutating func fill(_ form: Form, _ color: Color, opacity: Float = 1) {
    fill(form, opacity: opacity) { _ in color }
  }

  /// Paints `form` over what is there, each pixel in the colour that its middle has.
  mutating func fill(_ form: Form, opacity: Float = 1, color: (Point) -> Color) {
    let first = pointwiseMax(form.low.rounded(.down), .zero)
    let last = pointwiseMin(form.high.rounded(.up), Point(Float(width), Float(height)))
    guard first.x < last.x, first.y < last.y else { return }
    for y in Int(first.y)..<Int(last.y) {
      for x in Int(first.x)..<Int(last.x) {
        let point = Point(Float(x), Float(y)) + 0.5
        let alpha = form.coverage(point) * opacity
        guard alpha > 0 else { continue }
        let index = y * width + x
        pixels[index] = SIMD4(color(point), 1) * alpha + pixels[index] * (1 - alpha)
      }
    }
  }

  /// Paints `form` with an outline of `width` pixels about it.
  mutating func fill(_ form: Form, _ color: Color, outline: Color, width: Float) {
    fill(form.grown(by: width), outline)
    fill(form, color)
  }

  /// The mean of `count` layers: what an open shutter sees.
  ///
  /// `draw` paints the things as they are at a moment of the opening, 0…1.
  static func exposed(
    width: Int, height: Int, count: Int, draw: (inout Layer, _ moment: Float) -> Void
  ) -> Layer {
    var sum = Layer(width: width, height: height)
    for sample in 0..<count {
      var layer = Layer(width: width, height: height)
      draw(&layer, (Float(sample) + 0.5) / Float(count))
      for index in sum.pixels.indices { sum.pixels[index] += layer.pixels[index] }
    }
    for index in sum.pixels.indices { sum.pixels[index] /= Float(count) }
    return sum
  }

  /// The picture with colours divided by alpha, rounded to eight bits.
  func picture() -> Picture {
    let straight = pixels.map { pixel -> SIMD4<UInt8> in
      let alpha = (pixel.w * 255).rounded()
      guard alpha > 0 else { return .zero }
      let color = (pixel * (255 / pixel.w)).clamped(
        lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
      var bytes = SIMD4<UInt8>(color.rounded(.toNearestOrEven))
      bytes.w = UInt8(alpha)
      return bytes
    }
    return Picture(width: width, height: height, pixels: straight)
  }
}
