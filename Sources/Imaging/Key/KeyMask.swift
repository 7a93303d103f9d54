/// A part of a picture whose matte does not follow from its colours: one that is shut out, or kept.
public struct KeyMask: Hashable, Sendable {
  /// One piece of the part.
  public enum Shape: Hashable, Sendable {
    /// The inside of a polygon, whose corners are in pixels from the picture's top left corner.
    case polygon([SIMD2<Double>])
    /// What is white in a picture of the size of those that are keyed.
    case plane(MaskPlane)
  }

  /// The pieces, which may overlap; none for nothing at all.
  public let shapes: [Shape]
  /// The size of the picture that the shapes are drawn on; others are covered in proportion.
  public let size: PixelSize

  /// Makes the mask of some shapes on a picture of a size.
  public init(_ shapes: [Shape], on size: PixelSize) {
    self.shapes = shapes
    self.size = size
  }

  /// Covers nothing.
  public static let none = KeyMask([], on: PixelSize(width: 1, height: 1))

  /// Whether nothing is covered.
  public var isEmpty: Bool { shapes.isEmpty }
}

/// How much of each pixel of a picture a mask covers.
public struct MaskPlane: Hashable, Sendable {
  /// The size of the picture.
  public let size: PixelSize
  /// Coverage 0…255, row by row.
  fileprivate let samples: [UInt8]

  /// Takes how white the pixels of a picture are; transparent ones are black.
  public init(_ image: RGBAImage) {
    size = image.size
    samples = image.pixels.map { pixel in
      // The luma of BT.601 in 1/256.
      let grey = (UInt32(pixel.x) * 77 + UInt32(pixel.y) * 150 + UInt32(pixel.z) * 29 + 128) >> 8
      return UInt8((grey * UInt32(pixel.w) + 127) / 255)
    }
  }
}

/// The coverage of one row of pixels after the other.
struct MaskRow {
  private let shapes: [KeyMask.Shape]
  private let size: PixelSize
  /// Coverage 0…255 of the pixels of the row at hand.
  private(set) var samples: [UInt8]
  private var areas: [Float]

  /// Rows of a mask on a picture of a size.
  init(_ mask: KeyMask, size: PixelSize) {
    self.size = size
    let scale = SIMD2(
      Double(size.width) / Double(mask.size.width), Double(size.height) / Double(mask.size.height))
    shapes = mask.shapes.map { shape in
      switch shape {
      case .polygon(let corners): .polygon(corners.map { $0 * scale })
      case .plane: shape
      }
    }
    samples = [UInt8](repeating: 0, count: shapes.isEmpty ? 0 : size.width)
    areas = [Float](repeating: 0, count: samples.count + 2)
  }

  subscript(x: Int) -> UInt8 { samples[x] }

  /// Makes the coverage of row `y`; returns whether there is any.
  mutating func cover(_ y: Int) -> Bool {
    guard !shapes.isEmpty else { return false }
    for x in samples.indices { samples[x] = 0 }
    var isCovered = false
    for shape in shapes {
      switch shape {
      case .polygon(let corners): isCovered = cover(y, byPolygon: corners) || isCovered
      case .plane(let plane): isCovered = cover(y, by: plane) || isCovered
      }
    }
    return isCovered
  }

  private mutating func cover(_ y: Int, by plane: MaskPlane) -> Bool {
    // The nearest sample, where sizes differ.
    let start = y * plane.size.height / size.height * plane.size.width
    var any: UInt8 = 0
    for x in samples.indices {
      let sample = plane.samples[start + x * plane.size.width / size.width]
      samples[x] = max(samples[x], sample)
      any |= sample
    }
    return any != 0
  }

  /// Adds the share of each pixel that lies inside a polygon.
  ///
  /// Each edge leaves in `areas` how much the coverage grows from one pixel to the next; their running
  /// sum is the coverage (the signed-area accumulation of font rasterisers).
  private mutating func cover(_ y: Int, byPolygon corners: [SIMD2<Double>]) -> Bool {
    let (top, bottom) = (Double(y), Double(y + 1))
    guard let first = corners.last, corners.contains(where: { $0.y < bottom }),
      corners.contains(where: { $0.y > top })
    else { return false }
    for x in areas.indices { areas[x] = 0 }
    var from = first
    for to in corners {
      add(MaskEdge(from, to).clipped(top: top, bottom: bottom))
      from = to
    }
    var (sum, any): (Float, UInt8) = (0, 0)
    for x in samples.indices {
      sum += areas[x]
      samples[x] = max(samples[x], UInt8(min(abs(sum), 1) * 255 + 0.5))
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
