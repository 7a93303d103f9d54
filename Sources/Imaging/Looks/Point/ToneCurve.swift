/// Curves through points: one for each channel, then one for all of them.
///
/// A curve is made as GPUImage makes it, a natural cubic spline at the 256 codes, cut to whole codes
/// on the way; it is looked up as a texture of 256 pixels, so that neighbouring entries mix.
struct ToneCurve: ChannelFilter {
  /// The entries of red, green and blue, in codes.
  private let tables: [[Float]]

  /// Makes the curves of points (in, out), 0…1.
  init(composite: [SIMD2<Float>], channels: [[SIMD2<Float>]]) {
    let last = Self.offsets(through: composite)
    tables = channels.map { points in
      let first = Self.offsets(through: points)
      return (0..<256).map { code in
        let middle = Self.cut(Float(code) + first[code])
        return Self.cut(middle + last[Int(middle)])
      }
    }
  }

  func value(_ value: Float, channel: Int) -> Float { Self.lookUp(value, in: tables[channel]) }

  /// The value 0…1 at the place `value` of a texture one pixel high with an entry for each code.
  static func lookUp(_ value: Float, in table: [Float]) -> Float {
    let position = min(max(value * 256 - 0.5, 0), 255)
    let index = Int(position)
    let (low, high) = (table[index], table[min(index + 1, 255)])
    return (low + (high - low) * (position - Float(index))) / 255
  }

  private static func cut(_ code: Float) -> Float { min(max(code, 0), 255).rounded(.towardZero) }

  /// How far each code is moved by the spline through points, by place in GPUImage's list.
  ///
  /// A curve that begins above 0 has one entry too many before it, which shifts the list by one. One
  /// that ends below 255 goes on at 255.
  private static func offsets(through points: [SIMD2<Float>]) -> [Float] {
    let points = points.map { $0 * 255 }.sorted { $0.x < $1.x }
    guard let first = points.first else { return [Float](repeating: 0, count: 256) }
    var curve = splined(points)
    if let end = curve.last, end.x < 255 {
      curve += stride(from: end.x + 1, through: 255, by: 1).map { SIMD2($0, 255) }
    }
    let before = Int(first.x) > 0 ? (0...Int(first.x)).map { SIMD2(Float($0), 0) } : []
    let offsets = (before + curve).map { $0.y - $0.x }
    // Points in a small range make few entries; the rest stays where it is.
    return (0..<256).map { $0 < offsets.count ? offsets[$0] : 0 }
  }

  /// The points of the natural cubic spline at whole codes, the last point as it is.
  private static func splined(_ points: [SIMD2<Float>]) -> [SIMD2<Float>] {
    let bends = secondDerivatives(of: points)
    var curve: [SIMD2<Float>] = []
    for index in points.indices.dropLast() {
      let (start, end) = (points[index], points[index + 1])
      let width = end.x - start.x
      for x in stride(from: Int(start.x), to: Int(end.x), by: 1) {
        let b = (Float(x) - start.x) / width
        let a = 1 - b
        let bent = (a * a * a - a) * bends[index] + (b * b * b - b) * bends[index + 1]
        let y = a * start.y + b * end.y + width * width / 6 * bent
        curve.append(SIMD2(Float(x), min(max(y, 0), 255)))
      }
    }
    return curve + points.suffix(1)
  }

  /// The second derivatives at the points, zero at the ends: the tridiagonal system solved by
  /// elimination (Press et al., Numerical Recipes, section 3.3).
  private static func secondDerivatives(of points: [SIMD2<Float>]) -> [Float] {
    let count = points.count
    var bends = [Float](repeating: 0, count: count)
    guard count > 2 else { return bends }
    var factors = [Float](repeating: 0, count: count)
    for index in 1..<count - 1 {
      let (before, here, after) = (points[index - 1], points[index], points[index + 1])
      let change =
        (after.y - here.y) / (after.x - here.x) - (here.y - before.y) / (here.x - before.x)
      let lower = (here.x - before.x) / 6
      let pivot = (after.x - before.x) / 3 - lower * factors[index - 1]
      factors[index] = (after.x - here.x) / 6 / pivot
      bends[index] = (change - lower * bends[index - 1]) / pivot
    }
    for index in (1..<count - 1).reversed() { bends[index] -= factors[index] * bends[index + 1] }
    return bends
  }
}
