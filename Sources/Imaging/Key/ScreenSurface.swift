/// A quadratic over a picture for each of three channels: how evenly lit screens fall off.
struct ScreenSurface: Sendable {
  /// For 1, x, y, x², xy and y², with x and y from −1 to 1 across the picture.
  private let terms: [SIMD3<Float>]
  /// What the surface is held to, so that it does not run away where nothing was measured.
  private var bounds: (least: SIMD3<Float>, most: SIMD3<Float>)

  fileprivate init(terms: [SIMD3<Float>]) {
    self.terms = terms
    bounds = (.init(repeating: -.infinity), .init(repeating: .infinity))
  }

  /// The value at a place.
  subscript(place: SIMD2<Float>) -> SIMD3<Float> {
    let basis = Self.basis(place)
    var sum = SIMD3<Float>.zero
    for term in terms.indices { sum += terms[term] * basis[term] }
    return pointwiseMax(bounds.least, pointwiseMin(sum, bounds.most))
  }

  /// Holds the surface to the values that it has at some places.
  mutating func bound(to places: some Sequence<SIMD2<Float>>) {
    var (least, most) = (
      SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity)
    )
    for place in places {
      let value = self[place]
      least = pointwiseMin(least, value)
      most = pointwiseMax(most, value)
    }
    bounds = (least, most)
  }

  /// How far the values lie apart at most.
  var range: SIMD3<Float> { bounds.most - bounds.least }

  /// Writes one channel of row `y` of a plane that covers the picture.
  func fill(_ row: inout [Float], channel: Int, y: Int, of size: PixelSize) {
    let v = Self.coordinate(y, of: size.height)
    let t = terms.map { $0[channel] }
    let (start, slope, bend) = (t[0] + v * (t[2] + v * t[5]), t[1] + v * t[4], t[3])
    let (least, most) = (bounds.least[channel], bounds.most[channel])
    let step = 2 / Float(size.width)
    var span = row.mutableSpan
    for x in 0..<size.width {
      let u = (Float(x) + 0.5) * step - 1
      let value = start + u * (slope + u * bend)
      let held = value < most ? value : most
      span[x] = held > least ? held : least
    }
  }

  /// Where sample `index` of `count` lies, from −1 to 1.
  static func coordinate(_ index: Int, of count: Int) -> Float {
    (Float(index) + 0.5) * 2 / Float(count) - 1
  }

  /// What the terms are multiplied with; two lanes are not used.
  fileprivate static func basis(_ place: SIMD2<Float>) -> SIMD8<Float> {
    let (x, y) = (place.x, place.y)
    return SIMD8(1, x, y, x * x, x * y, y * y, 0, 0)
  }
}

/// Fits a ``ScreenSurface`` to values at places by least squares.
struct SurfaceFit {
  private static let count = 6
  /// The rows of the matrix of normal equations.
  private var rows = [SIMD8<Double>](repeating: .zero, count: count)
  private var sides = [SIMD3<Double>](repeating: .zero, count: count)

  /// Adds a value.
  mutating func add(_ value: SIMD3<Float>, at place: SIMD2<Float>) {
    let basis = SIMD8<Double>(ScreenSurface.basis(place))
    let value = SIMD3<Double>(value)
    for i in 0..<Self.count {
      rows[i] += basis * basis[i]
      sides[i] += value * basis[i]
    }
  }

  /// The surface; `nil` where the places do not determine it.
  func surface() -> ScreenSurface? {
    var (rows, sides) = (rows, sides)
    let count = Self.count
    // Gaussian elimination; the matrix is symmetric and not negative, so pivots stand on its diagonal.
    let least = 1e-6 * max(rows[0][0], 1e-30)
    for i in 0..<count {
      let pivot = rows[i][i]
      guard pivot > least else { return nil }
      for row in i + 1..<count {
        let factor = rows[row][i] / pivot
        rows[row] -= rows[i] * factor
        sides[row] -= sides[i] * factor
      }
    }
    for i in (0..<count).reversed() {
      for column in i + 1..<count { sides[i] -= sides[column] * rows[i][column] }
      sides[i] /= rows[i][i]
    }
    return ScreenSurface(terms: sides.map { SIMD3<Float>($0) })
  }
}
