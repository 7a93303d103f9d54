/// A quadratic over a picture for each of three channels: how evenly lit screens fall off.
struct ScreenSurface: Hashable, Sendable {
  /// For 1, x, y, x², xy and y², with x and y from −1 to 1 across the picture.
  private var terms = [SIMD3<Float>](repeating: .zero, count: 6)
  /// What the surface is held to, so that it does not run away where nothing was measured.
  private var bounds: (least: SIMD3<Float>, most: SIMD3<Float>)

  /// The surface of one value everywhere.
  init(constant: SIMD3<Float>) {
    terms[0] = constant
    bounds = (constant, constant)
  }

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

  fileprivate static func basis(_ place: SIMD2<Float>) -> [Float] {
    let (x, y) = (place.x, place.y)
    return [1, x, y, x * x, x * y, y * y]
  }

  static func == (a: ScreenSurface, b: ScreenSurface) -> Bool {
    a.terms == b.terms && a.bounds == b.bounds
  }

  func hash(into hasher: inout Hasher) { hasher.combine(terms) }
}

/// Fits a ``ScreenSurface`` to values at places by least squares.
struct SurfaceFit {
  private static let count = 6
  private var matrix = [Double](repeating: 0, count: count * count)
  private var sides = [SIMD3<Double>](repeating: .zero, count: count)

  /// Adds a value with a weight.
  mutating func add(_ value: SIMD3<Float>, at place: SIMD2<Float>, weight: Float = 1) {
    let basis = ScreenSurface.basis(place).map(Double.init)
    for i in 0..<Self.count {
      let weighted = basis[i] * Double(weight)
      for j in 0..<Self.count { matrix[i * Self.count + j] += weighted * basis[j] }
      sides[i] += SIMD3<Double>(value) * weighted
    }
  }

  /// The surface; `nil` where the places do not determine it.
  func surface() -> ScreenSurface? {
    var (matrix, sides) = (matrix, sides)
    let count = Self.count
    // Gaussian elimination; the matrix is symmetric and not negative, so pivots stand on its diagonal.
    let least = 1e-6 * max(matrix[0], 1e-30)
    for i in 0..<count {
      let pivot = matrix[i * count + i]
      guard pivot > least else { return nil }
      for row in i + 1..<count {
        let factor = matrix[row * count + i] / pivot
        for column in i..<count {
          matrix[row * count + column] -= factor * matrix[i * count + column]
        }
        sides[row] -= sides[i] * factor
      }
    }
    for i in (0..<count).reversed() {
      for column in i + 1..<count { sides[i] -= sides[column] * matrix[i * count + column] }
      sides[i] /= matrix[i * count + i]
    }
    return ScreenSurface(terms: sides.map { SIMD3<Float>($0) })
  }
}
