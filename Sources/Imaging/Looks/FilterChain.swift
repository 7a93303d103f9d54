/// Filters one after the other, compiled to as few passes over the picture as they need.
///
/// Neighbouring filters that map each pixel by itself run together on tiles of a row. Those that map
/// a channel by itself become a table on the way in; the rest is computed in floats, clamped after
/// each filter and rounded once at the end.
public struct FilterChain: Sendable {
  private let passes: [Pass]

  private enum Pass {
    case points(PointPass)
    case picture(any PictureFilter)
  }

  /// Compiles a chain; the first step is applied first.
  public init(_ steps: [FilterStep]) {
    var passes: [Pass] = []
    var points = PointPass()
    for step in steps {
      switch step.operation {
      case .curve(let curve): points.append(curve)
      case .point(let filter): points.append(filter)
      case .picture(let filter):
        if !points.isEmpty { passes.append(.points(points)) }
        points = PointPass()
        passes.append(.picture(filter))
      }
    }
    if !points.isEmpty { passes.append(.points(points)) }
    self.passes = passes
  }

  /// The picture with all filters applied. Works in place where the caller gives the image up.
  public func apply(to image: consuming RGBAImage) -> RGBAImage {
    var tile = ColorTile()
    for pass in passes {
      switch pass {
      case .points(let points): points.apply(to: &image, with: &tile)
      case .picture(let filter): image = filter.apply(to: image)
      }
    }
    return image
  }
}

/// A run of filters that map each pixel by itself.
private struct PointPass: Sendable {
  private var entry = ChannelCurves.identity
  private var stages: [any PointFilter] = []
  private(set) var isEmpty = true

  /// Adds a curve: to the table on the way in while nothing else came before, else as a stage.
  mutating func append(_ curve: @escaping @Sendable (Float) -> Float) {
    isEmpty = false
    if stages.isEmpty {
      entry = entry.followed(by: curve)
    } else {
      stages.append(CurveFilter(curve: ChannelCurves.identity.followed(by: curve)))
    }
  }

  mutating func append(_ filter: any PointFilter) {
    isEmpty = false
    stages.append(filter)
  }

  func apply(to image: inout RGBAImage, with tile: inout ColorTile) {
    var pixels = image.mutablePixels
    var start = 0
    while start < pixels.count {
      let range = start..<min(start + ColorTile.capacity, pixels.count)
      tile.load(pixels.span.extracting(range), through: entry)
      for stage in stages { stage.apply(to: &tile) }
      tile.store(into: &pixels, at: start)
      start = range.upperBound
    }
  }
}

/// A curve in the middle of a run, looked up by the rounded channel as the shader's pass reads it.
private struct CurveFilter: PointFilter {
  let curve: ChannelCurves

  func apply(to tile: inout ColorTile) {
    func mapped(_ lanes: ColorTile.Lanes) -> ColorTile.Lanes {
      var result = lanes
      for lane in lanes.indices { result[lane] = curve.color[Int(lanes[lane] * 255 + 0.5)] }
      return result
    }
    tile.map { pixels in
      pixels.red = mapped(pixels.red)
      pixels.green = mapped(pixels.green)
      pixels.blue = mapped(pixels.blue)
    }
  }
}
