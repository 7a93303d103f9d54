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

  /// The picture with all filters applied.
  ///
  /// Works in place where the caller gives the image up.
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
  private var entry: ChannelCurve?
  private var stages: [Stage] = []

  private enum Stage {
    case curve(ChannelCurve)
    case filter(any PointFilter)
  }

  var isEmpty: Bool { entry == nil && stages.isEmpty }

  /// Adds a curve: to the table on the way in while nothing else came before, to the curve before it
  /// where there is one, else as a stage.
  mutating func append(_ curve: (Float) -> Float) {
    if stages.isEmpty {
      entry = (entry ?? .identity).followed(by: curve)
    } else if case .curve(let last) = stages[stages.count - 1] {
      stages[stages.count - 1] = .curve(last.followed(by: curve))
    } else {
      stages.append(.curve(ChannelCurve.identity.followed(by: curve)))
    }
  }

  mutating func append(_ filter: any PointFilter) {
    stages.append(.filter(filter))
  }

  func apply(to image: inout RGBAImage, with tile: inout ColorTile) {
    var pixels = image.mutablePixels
    for start in stride(from: 0, to: pixels.count, by: ColorTile.capacity) {
      let range = start..<min(start + ColorTile.capacity, pixels.count)
      tile.load(pixels.span.extracting(range), through: entry)
      for stage in stages {
        switch stage {
        case .curve(let curve): tile.mapChannels(by: curve)
        case .filter(let filter): filter.apply(to: &tile)
        }
      }
      tile.store(into: &pixels, at: start, count: range.count)
    }
  }
}
