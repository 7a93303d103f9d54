import Glibc

/// An area of the plane by the share of each pixel that it covers.
///
/// Hard forms are made of the signed distance to their edge, exact near it, so that the share of a
/// pixel that they cover is exact for a straight edge along the grid, and within a hundredth else.
/// (Formulas: I. Quilez, "2D distance functions".)
struct Form {
  /// Two opposite corners of a box around the form.
  let low: Point
  let high: Point
  /// The share, 0…1, of the pixel around a point.
  let coverage: (Point) -> Float
  private let distance: ((Point) -> Float)?

  private init(
    low: Point, high: Point, coverage: @escaping (Point) -> Float,
    distance: ((Point) -> Float)?
  ) {
    self.low = low
    self.high = high
    self.coverage = coverage
    self.distance = distance
  }

  /// A form that fades as it likes.
  static func veil(low: Point, high: Point, coverage: @escaping (Point) -> Float) -> Form {
    Form(low: low, high: high, coverage: coverage, distance: nil)
  }

  /// A form with a sharp edge; `thickness` is its width where that may be less than a pixel.
  init(
    low: Point, high: Point, thickness: Float = .infinity, distance: @escaping (Point) -> Float
  ) {
    self.low = low - 1
    self.high = high + 1
    self.distance = distance
    // What lies before the near edge less what lies before the far one, so that a hair 0.6 px wide
    // covers 0.6 of a pixel in all.
    coverage = { point in
      let near = distance(point)
      return unitRange(0.5 - near) - unitRange(0.5 - (near + thickness))
    }
  }

  /// The form grown on all sides by so many pixels; a fading one stays as it is.
  func grown(by margin: Float) -> Form {
    guard let distance else { return self }
    return Form(low: low - margin, high: high + margin) { distance($0) - margin }
  }

  static func disc(_ center: Point, _ radius: Float) -> Form {
    Form(low: center - radius, high: center + radius) { ($0 - center).length - radius }
  }

  /// The band of a given width about a circle.
  static func ring(_ center: Point, _ radius: Float, width: Float) -> Form {
    let reach = radius + width / 2
    return Form(low: center - reach, high: center + reach, thickness: width) {
      abs(($0 - center).length - radius) - width / 2
    }
  }

  /// A rectangle with round corners, turned by an angle in radians.
  static func box(_ center: Point, _ half: SIMD2<Float>, round: Float = 0, angle: Float = 0)
    -> Form
  {
    let reach = half.length
    return Form(low: center - reach, high: center + reach) { point in
      let local = (point - center).turned(by: -angle)
      let corner = pointwiseMax(local, -local) - half + round
      return pointwiseMax(corner, .zero).length + min(corner.max(), 0) - round
    }
  }

  /// A line through the points with round ends and corners; it thins to `tip` times its width.
  static func line(_ points: [Point], width: Float, tip: Float = 1) -> Form {
    let widest = max(width, width * tip) / 2
    let low = points.reduce(points[0], pointwiseMin) - widest
    let high = points.reduce(points[0], pointwiseMax) + widest
    let last = Float(max(1, points.count - 1))
    func nearest(to point: Point) -> (distance: Float, width: Float) {
      var (found, along) = (Float.infinity, Float(0))
      for index in 1..<points.count {
        let start = points[index - 1]
        let (piece, offset) = (points[index] - start, point - start)
        let share = unitRange((offset * piece).sum() / max((piece * piece).sum(), 1e-9))
        let gap = (offset - piece * share).length
        if gap < found { (found, along) = (gap, (Float(index - 1) + share) / last) }
      }
      return (found, width * (1 + (tip - 1) * along))
    }
    return Form(
      low: low - 1, high: high + 1,
      coverage: { point in
        let (gap, width) = nearest(to: point)
        return unitRange(0.5 - (gap - width / 2)) - unitRange(0.5 - (gap + width / 2))
      },
      distance: { point in
        let (gap, width) = nearest(to: point)
        return gap - width / 2
      })
  }

  /// A quadratic Bézier curve from `start` to `end`, drawn towards `control`.
  static func curve(
    _ start: Point, _ control: Point, _ end: Point, width: Float, tip: Float = 1
  ) -> Form {
    let pieces = 10
    let points = (0...pieces).map { index in
      let share = Float(index) / Float(pieces)
      return blend(blend(start, control, share), blend(control, end, share), share)
    }
    return line(points, width: width, tip: tip)
  }

  /// An ellipse that fades from its middle to nothing at its edge.
  static func haze(_ center: Point, _ radii: SIMD2<Float>) -> Form {
    veil(low: center - radii, high: center + radii) {
      1 - smoothClimb((($0 - center) / radii).length)
    }
  }

  /// A rectangle of whole pixels: its edges lie on the grid.
  static func block(x: Int, y: Int, width: Int, height: Int) -> Form {
    let low = Point(Float(x), Float(y))
    return veil(low: low, high: low + Point(Float(width), Float(height))) { _ in 1 }
  }
}
