/// A kernel drawn with straight lines in whole numbers, so that its sums can run along a line exactly.
///
/// The weights are `base` as far as `radius`, and above that a polygon that ends there at 0. Summed up
/// over pixels p, S(m) = Σ weight(i)·p(m + i), this follows from the sum before it (J is `base`, R the
/// radius, e the bends):
///
///     D(m) = D(m − 1) + Σ e(i)·p(m − 1 + i)
///     S(m) = S(m − 1) + D(m) + J·(p(m + R) − p(m − 1 − R))
///
/// which costs the same for any radius. The bend e(i) is by how much the slope changes at i.
struct PolygonKernel: Sendable {
  let radius: Int
  let base: Int
  /// Where the polygon has corners on either side of the middle one, the last of them at `radius`;
  /// none where all weights are equal.
  let corners: [Int]
  /// By how much the weights fall from pixel to pixel on the way to each corner.
  let slopes: [Int]

  /// Equal weights.
  init(boxOfRadius radius: Int) {
    self.radius = radius
    base = min(Self.greatestTotal / (2 * radius + 1), Self.greatestBase)
    corners = []
    slopes = []
  }

  /// The bends at the corners.
  var bends: [Int] { Self.bends(of: slopes) }

  /// The bend in the middle.
  var middleBend: Int { -2 * (slopes.first ?? 0) }

  /// The weights of the distances 0, 1, … `radius`.
  var weights: [Int] {
    guard !corners.isEmpty else { return [Int](repeating: base, count: radius + 1) }
    var weights = [base]
    for distance in (0..<radius).reversed() {
      let side = corners.firstIndex { $0 > distance } ?? 0
      weights.append(weights[weights.count - 1] + slopes[side])
    }
    return weights.reversed()
  }

  /// The sum of the weights on both sides.
  var total: Int {
    let weights = weights
    return 2 * weights.reduce(0, +) - weights[0]
  }

  /// With bends of one sign up to this, e·p has sums of sixteen bits with sign.
  private static let greatestBend = 128
  /// J has sixteen bits with sign.
  private static let greatestBase = Int(Int16.max)
  /// S has 32 bits with sign.
  private static let greatestTotal = 1 << 22

  private static func bends<Number: SignedNumeric>(of slopes: [Number]) -> [Number] {
    zip(slopes, slopes.dropFirst() + [0]).map { $0 - $1 }
  }
}

// MARK: - Drawing a kernel

extension PolygonKernel {
  /// Draws a kernel with as few corners as follow it closely; `nil` if many would be needed.
  ///
  /// The `tolerance` is how far off the sums over white noise from 0 to 255 may be, in codes (root mean
  /// square). Pictures are smoother than that, and nearer.
  init?(_ kernel: BlurKernel, tolerance: Double = 0.12) {
    let noise = 255 / 12.0.squareRoot()
    for count in 2...6 where 2 * count < kernel.radius {
      let drawing = PolygonKernel(kernel, corners: count)
      if noise * drawing.distance(from: kernel) <= tolerance {
        self = drawing
        return
      }
    }
    return nil
  }

  /// The Euclidean distance between the weights.
  private func distance(from kernel: BlurKernel) -> Double {
    let total = Double(total)
    let errors = zip(weights, kernel.weights).map { Double($0) / total - $1 }
    return (2 * errors.reduce(0) { $0 + $1 * $1 } - errors[0] * errors[0]).squareRoot()
  }

  private init(_ kernel: BlurKernel, corners count: Int) {
    radius = kernel.radius
    let places = (0...count).map { ($0 * kernel.radius + count / 2) / count }
    let heights = Self.heights(at: places, for: kernel.weights)
    let falls = (1...count).map { (end: Int) -> Double in
      let length = Double(places[end] - places[end - 1])
      return (heights[end - 1] - heights[end]) / length
    }
    // As large as the sums allow, so that whole numbers are near; rounding may add one to each bend.
    let upward = 2 * Self.bends(of: falls).filter { $0 > 0 }.reduce(0, +)
    let byBend = Double(Self.greatestBend - 2 * count) / upward
    let byBase = Double(Self.greatestBase) / heights[count].magnitude
    let scale = min(byBend, byBase, Double(Self.greatestTotal))
    base = Int((heights[count] * scale).rounded())
    corners = Array(places.dropFirst())
    slopes = falls.map { Int(($0 * scale).rounded()) }
  }

  /// The heights at which a polygon with corners at `places` is nearest to the weights (least
  /// squares).
  private static func heights(at places: [Int], for weights: [Double]) -> [Double] {
    // The normal equations of hat functions have three diagonals, of which two are the same.
    var diagonal = [Double](repeating: 0, count: places.count)
    var (beside, right) = (diagonal, diagonal)
    for (place, weight) in weights.enumerated() {
      let end = max(places.firstIndex { $0 >= place } ?? 0, 1)
      let share = Double(place - places[end - 1]) / Double(places[end] - places[end - 1])
      // The middle is there once, the others on both sides.
      let sides = place == 0 ? 1.0 : 2.0
      diagonal[end - 1] += sides * (1 - share) * (1 - share)
      diagonal[end] += sides * share * share
      beside[end] += sides * share * (1 - share)
      right[end - 1] += sides * (1 - share) * weight
      right[end] += sides * share * weight
    }
    for row in 1..<places.count {
      let factor = beside[row] / diagonal[row - 1]
      diagonal[row] -= factor * beside[row]
      right[row] -= factor * right[row - 1]
    }
    for row in places.indices.reversed() {
      if row + 1 < places.count { right[row] -= beside[row + 1] * right[row + 1] }
      right[row] /= diagonal[row]
    }
    return right
  }
}
