/// An area of the plane, given by the signed distance to its edge.
///
/// The distance of each shape is exact, or exact to the first order near the edge, so that the
/// share of a pixel that it covers follows from it. (Formulas: I. Quilez, "2D distance functions".)
protocol Shape {
  /// The shape's width where it is thin as a line, and infinite for all others.
  var thickness: Float { get }
  /// Two opposite corners of a box around the shape.
  var bounds: (low: Point, high: Point) { get }
  /// Pixels from `point` to the edge; negative inside.
  func distance(to point: Point) -> Float
  /// The share of the pixel around `point` that the shape covers, 0…1; see the default.
  func coverage(at point: Point, softness: Float) -> Float
}

extension Shape {
  var thickness: Float { .infinity }

  /// The share of the pixel around `point` that the shape covers, 0…1.
  ///
  /// What lies before the near edge less what lies before the far one, each a pixel-wide box
  /// against a straight line: a hair 0.6 px wide so covers 0.6 of a pixel in all.
  func coverage(at point: Point, softness: Float) -> Float {
    let near = distance(to: point)
    return clamp(0.5 - near / softness) - clamp(0.5 - (near + thickness) / softness)
  }
}

/// A shape grown on all sides by so many pixels: the outline's outer edge.
struct Grown<Base: Shape>: Shape {
  let base: Base
  let margin: Float

  var thickness: Float { base.thickness + 2 * margin }

  var bounds: (low: Point, high: Point) {
    (base.bounds.low - margin, base.bounds.high + margin)
  }

  func distance(to point: Point) -> Float {
    base.distance(to: point) - margin
  }
}

/// An ellipse whose axes lie along the picture's, or turned by an angle.
struct Ellipse: Shape {
  let center: Point
  let radii: SIMD2<Float>
  private let axis: SIMD2<Float>

  init(center: Point, radii: SIMD2<Float>, angle: Float = 0) {
    self.center = center
    self.radii = radii
    axis = Point(1, 0).turned(by: angle)
  }

  /// A disc.
  init(center: Point, radius: Float) {
    self.init(center: center, radii: SIMD2(radius, radius))
  }

  var bounds: (low: Point, high: Point) {
    let reach = radii.max()
    return (center - reach, center + reach)
  }

  func distance(to point: Point) -> Float {
    let offset = point - center
    let local = SIMD2(offset.dot(axis), axis.x * offset.y - axis.y * offset.x)
    let scaled = local / radii
    let slope = (scaled / radii).length
    guard slope > 0 else { return -radii.min() }
    let reach = scaled.length
    return reach * (reach - 1) / slope
  }
}

/// An ellipse that fades from its middle to nothing at its edge: a shadow, a blush.
struct Haze: Shape {
  let center: Point
  let radii: SIMD2<Float>

  var bounds: (low: Point, high: Point) { (center - radii, center + radii) }

  func distance(to point: Point) -> Float {
    (((point - center) / radii).length - 1) * radii.min()
  }

  func coverage(at point: Point, softness: Float) -> Float {
    1 - smoothstep(0, 1, ((point - center) / radii).length)
  }
}

/// The band of a given width around a circle.
struct Ring: Shape {
  let center: Point
  let radius: Float
  let thickness: Float

  var bounds: (low: Point, high: Point) {
    let reach = radius + thickness / 2
    return (center - reach, center + reach)
  }

  func distance(to point: Point) -> Float {
    abs((point - center).length - radius) - thickness / 2
  }
}

/// A straight line with round ends.
struct Capsule: Shape {
  let start: Point
  let end: Point
  let thickness: Float

  init(from start: Point, to end: Point, thickness: Float) {
    self.start = start
    self.end = end
    self.thickness = thickness
  }

  var bounds: (low: Point, high: Point) {
    let reach = thickness / 2
    return (pointwiseMin(start, end) - reach, pointwiseMax(start, end) + reach)
  }

  func distance(to point: Point) -> Float {
    let (line, offset) = (end - start, point - start)
    let share = clamp(offset.dot(line) / max(line.dot(line), .leastNormalMagnitude))
    return (offset - line * share).length - thickness / 2
  }
}

/// A rectangle with round corners, turned by an angle.
struct RoundedBox: Shape {
  let center: Point
  /// Half the width and half the height.
  let half: SIMD2<Float>
  let radius: Float
  private let axis: SIMD2<Float>

  init(center: Point, half: SIMD2<Float>, radius: Float, angle: Float = 0) {
    self.center = center
    self.half = half
    self.radius = radius
    axis = Point(1, 0).turned(by: angle)
  }

  var bounds: (low: Point, high: Point) {
    let (x, y) = (half * SIMD2(abs(axis.x), abs(axis.y)), half * SIMD2(abs(axis.y), abs(axis.x)))
    let reach = SIMD2(x.sum(), y.sum())
    return (center - reach, center + reach)
  }

  func distance(to point: Point) -> Float {
    let offset = point - center
    let local = SIMD2(offset.dot(axis), axis.x * offset.y - axis.y * offset.x)
    let corner = pointwiseMax(local, -local) - half + radius
    return pointwiseMax(corner, .zero).length + min(corner.max(), 0) - radius
  }
}

/// An upright tower that narrows towards its top, with round corners.
struct Tower: Shape {
  let center: Point
  let bottomHalfWidth: Float
  let topHalfWidth: Float
  let halfHeight: Float
  let radius: Float

  var bounds: (low: Point, high: Point) {
    let reach = SIMD2(max(bottomHalfWidth, topHalfWidth), halfHeight) + radius
    return (center - reach, center + reach)
  }

  func distance(to point: Point) -> Float {
    let offset = point - center
    let local = SIMD2(abs(offset.x), offset.y)
    let foot = SIMD2(bottomHalfWidth, halfHeight)
    let slant = SIMD2(topHalfWidth - bottomHalfWidth, -2 * halfHeight)
    let roofWidth = local.y < 0 ? topHalfWidth : bottomHalfWidth
    let toFlat = SIMD2(max(local.x - roofWidth, 0), abs(local.y) - halfHeight)
    let share = clamp((local - foot).dot(slant) / slant.dot(slant))
    let toSlant = local - foot - slant * share
    let isInside = toSlant.x < 0 && toFlat.y < 0
    let nearest = min(toFlat.dot(toFlat), toSlant.dot(toSlant)).squareRoot()
    return (isInside ? -nearest : nearest) - radius
  }
}

/// A curved line of even width, with round ends: a hair, a string, a smile.
struct Strand: Shape {
  let thickness: Float
  let bounds: (low: Point, high: Point)
  private let points: [Point]

  /// The quadratic Bézier curve from `start` to `end`, drawn towards `control`.
  init(from start: Point, towards control: Point, to end: Point, thickness: Float) {
    let pieces = 14  // The largest sag of a piece is under 0.1 px at 1400x1100.
    points = (0...pieces).map { index in
      let share = Float(index) / Float(pieces)
      return mix(mix(start, control, share), mix(control, end, share), share)
    }
    self.thickness = thickness
    bounds = (
      points.reduce(start, pointwiseMin) - thickness / 2,
      points.reduce(start, pointwiseMax) + thickness / 2
    )
  }

  func distance(to point: Point) -> Float {
    var nearest = Float.infinity
    for index in 1..<points.count {
      let start = points[index - 1]
      let (line, offset) = (points[index] - start, point - start)
      let share = clamp(offset.dot(line) / max(line.dot(line), .leastNormalMagnitude))
      let gap = offset - line * share
      nearest = min(nearest, gap.dot(gap))
    }
    return nearest.squareRoot() - thickness / 2
  }
}
