/// The coverage of one row of pixels after the other by the inside of a polygon.
///
/// Each edge leaves in `areas` how much the coverage grows from one pixel to the next; their running
/// sum is the coverage (the signed-area accumulation of font rasterisers).
struct PolygonCoverage {
  /// The polygon's corners in pixels from the picture's top left corner.
  private let corners: [SIMD2<Double>]
  /// Coverage 0…255 of the pixels of the row at hand.
  private(set) var samples: [UInt8]
  private var areas: [Float]

  /// Rows of a picture that is `width` pixels wide.
  init(_ corners: [SIMD2<Double>], width: Int) {
    self.corners = corners
    samples = [UInt8](repeating: 0, count: width)
    areas = [Float](repeating: 0, count: width + 2)
  }

  /// Makes the coverage of row `y`; returns whether there is any.
  mutating func cover(_ y: Int) -> Bool {
    let (top, bottom) = (Double(y), Double(y + 1))
    guard var from = corners.last, corners.contains(where: { $0.y < bottom }),
      corners.contains(where: { $0.y > top })
    else { return false }
    for x in areas.indices { areas[x] = 0 }
    for to in corners {
      add(MaskEdge(from, to).clipped(top: top, bottom: bottom))
      from = to
    }
    var (sum, any): (Float, UInt8) = (0, 0)
    for x in samples.indices {
      sum += areas[x]
      samples[x] = UInt8(min(abs(sum), 1) * 255 + 0.5)
      any |= samples[x]
    }
    return any != 0
  }

  /// Adds an edge that lies in one row, in pieces that lie in one pixel each.
  private mutating func add(_ edge: MaskEdge?) {
    guard let edge, edge.from.y != edge.to.y else { return }
    let width = Double(samples.count)
    var points = [edge.from]
    let (low, high) = (min(edge.from.x, edge.to.x), max(edge.from.x, edge.to.x))
    let first = max(low.rounded(.down) + 1, 0)
    let borders = stride(from: first, to: min(high, width + 1), by: 1).map(edge.point(atX:))
    points += edge.from.x <= edge.to.x ? borders : borders.reversed()
    points.append(edge.to)
    for (a, b) in zip(points, points.dropFirst()) {
      let height = Float(b.y - a.y)
      let middle = min(max((a.x + b.x) / 2, 0), width)
      let column = Int(middle)
      // What lies right of the edge in its own pixel, and all of the pixels behind.
      let share = Float(Double(column + 1) - middle)
      areas[column] += height * share
      areas[column + 1] += height * (1 - share)
    }
  }
}

/// One side of a polygon.
private struct MaskEdge {
  var from, to: SIMD2<Double>

  init(_ from: SIMD2<Double>, _ to: SIMD2<Double>) {
    self.from = from
    self.to = to
  }

  /// The part between two heights; `nil` for none.
  func clipped(top: Double, bottom: Double) -> MaskEdge? {
    guard min(from.y, to.y) < bottom, max(from.y, to.y) > top else { return nil }
    return MaskEdge(held(from, top, bottom), held(to, top, bottom))
  }

  private func held(_ point: SIMD2<Double>, _ top: Double, _ bottom: Double) -> SIMD2<Double> {
    let y = min(max(point.y, top), bottom)
    guard y != point.y else { return point }
    return SIMD2(from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y), y)
  }

  /// The point at column `x`, which the edge crosses.
  func point(atX x: Double) -> SIMD2<Double> {
    SIMD2(x, from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x))
  }
}
