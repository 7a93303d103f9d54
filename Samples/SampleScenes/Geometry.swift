import Glibc

/// A point of the picture in pixels; (0, 0) is the upper left corner of the upper left pixel.
typealias Point = SIMD2<Float>

extension SIMD2<Float> {
  var length: Float { (self * self).sum().squareRoot() }

  func dot(_ other: SIMD2<Float>) -> Float { (self * other).sum() }

  /// The vector turned by `angle` radians, clockwise as seen with y pointing down.
  func turned(by angle: Float) -> SIMD2<Float> {
    let (c, s) = (cos(angle), sin(angle))
    return SIMD2(x * c - y * s, x * s + y * c)
  }
}

/// The value a `share` (0…1) of the way from `start` to `end`.
func mix(_ start: Float, _ end: Float, _ share: Float) -> Float {
  start + (end - start) * share
}

/// The colour or point a `share` (0…1) of the way from `start` to `end`.
func mix<V: SIMD>(_ start: V, _ end: V, _ share: Float) -> V where V.Scalar == Float {
  start + (end - start) * share
}

/// `value` held within 0…1.
func clamp(_ value: Float) -> Float {
  min(max(value, 0), 1)
}

/// `value`, of the range 0…255, as the nearest whole number; what lies outside is held within.
func byte(_ value: Float) -> UInt8 {
  UInt8(min(max(value, 0), 255) + 0.5)
}

/// 0 below `low`, 1 above `high`, and a smooth climb between.
func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
  let share = clamp((value - low) / (high - low))
  return share * share * (3 - 2 * share)
}

/// A rectangle of whole pixels, without its right and bottom edges.
struct Region: Equatable {
  var columns: Range<Int>
  var rows: Range<Int>

  init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// The pixels that the points between `low` and `high`, grown by `margin`, touch.
  init(from low: Point, to high: Point, margin: Float = 0) {
    let first = (low - margin).rounded(.down)
    let last = (high + margin).rounded(.up)
    columns = Int(first.x)..<max(Int(first.x), Int(last.x))
    rows = Int(first.y)..<max(Int(first.y), Int(last.y))
  }

  /// The pixels of both; empty where they do not meet.
  func intersection(_ other: Region) -> Region {
    Region(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
  }
}
