/// A curve of a channel that is a straight line between two bounds: min(max(x·scale + offset, low), high).
///
/// Filters such as contrast, brightness and levels are such lines, and any number of them one after the
/// other is one again.
struct CurveLine {
  let scale: Float
  let offset: Float
  let low: Float
  let high: Float

  /// The line through the values of evenly spaced arguments from 0 to 1; `nil` where one of them lies
  /// more than the rounding of floats away from it.
  init?(through values: [Float]) {
    let step = 1 / Float(values.count - 1)
    guard let least = values.min(), let greatest = values.max() else { return nil }
    (low, high) = (least, greatest)
    // Values at the bounds may be clamped; those between them are not.
    let inside = values.indices.filter { values[$0] > least && values[$0] < greatest }
    guard let first = inside.first, let last = inside.last, first < last else {
      guard least == greatest else { return nil }
      (scale, offset) = (0, least)
      return
    }
    scale = (values[last] - values[first]) / (Float(last - first) * step)
    offset = values[first] - scale * (Float(first) * step)
    for (index, value) in values.enumerated() {
      guard abs(self(Float(index) * step) - value) <= 1e-6 else { return nil }
    }
  }

  /// The value of an argument.
  func callAsFunction(_ value: Float) -> Float { min(max(value * scale + offset, low), high) }
}

/// Curves that are lines, on channels that are floats already.
struct LinearCurves: PointFilter {
  private let lines: [4 of CurveLine]
  private let mapsAlpha: Bool

  /// Takes the tables of each channel; `nil` where one of them is no line.
  init?(_ tables: [[Float]], mapsAlpha: Bool) {
    let found = tables.compactMap(CurveLine.init)
    guard found.count == 4 else { return nil }
    lines = [4 of CurveLine] { found[$0] }
    self.mapsAlpha = mapsAlpha
  }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    block.red = lines[0](block.red)
    block.green = lines[1](block.green)
    block.blue = lines[2](block.blue)
    if mapsAlpha { block.alpha = lines[3](block.alpha) }
  }
}

extension CurveLine {
  /// The values of eight arguments.
  @inline(__always)
  fileprivate func callAsFunction(_ channel: Lanes) -> Lanes {
    minimum(maximum(channel * Lanes(scale) + Lanes(offset), Lanes(low)), Lanes(high))
  }
}
