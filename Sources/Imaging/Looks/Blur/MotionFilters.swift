import Foundation

/// Filters that blur as a camera does that moves.
extension FilterCatalogue {
  static let motionFilters = [
    FilterDeclaration(
      "motion-blur", "Blurs in one direction, as a camera that is swung.",
      like: "MotionBlurFilter",
      [
        .number(
          "blurSize", default: 2.5, in: 0...100, unit: "pixels · height/width between samples",
          "How long the streaks are."),
        .number(
          "blurAngle", default: 0, in: 0...360, unit: "degrees, clockwise",
          "The direction of the streaks; 0 is to the right."),
      ]
    ) { arguments in
      .rows(
        MotionBlur(
          spacing: arguments.number("blurSize"), angle: arguments.number("blurAngle") * .pi / 180))
    },
    FilterDeclaration(
      "zoom-blur", "Blurs towards a point, as a lens that is zoomed.", like: "ZoomBlurFilter",
      [
        .number(
          "blurSize", default: 1, from: 0, unit: "percent of the way between samples",
          "How long the streaks are."),
        .point("blurCenter", "What stays sharp."),
      ]
    ) { arguments in
      .picture(
        ZoomBlur(center: arguments.point("blurCenter"), step: arguments.number("blurSize") / 100))
    },
  ]
}

/// The weights of GPUImage's nine samples on a line: that of the middle, and of those on either side.
private let lineWeights: [Float] = [0.18, 0.15, 0.12, 0.09, 0.05]

/// Adds up nine bilinear samples on a line.
///
/// The samples are at the same places around every pixel, so that each is four pixels with fixed
/// weights; those of opposite samples are opposite, and have the same weights.
struct MotionBlur: RowFilter {
  /// The pixels between samples on a square picture.
  let spacing: Float
  /// In radians, from right to down.
  let angle: Float

  func reach(in size: PixelSize) -> RowReach {
    let taps = taps(in: size)
    return RowReach(
      columns: taps.reduce(0) { max($0, abs($1.x)) }, rows: taps.reduce(0) { max($0, abs($1.y)) })
  }

  func makeWorker(for size: PixelSize) -> any RowWorker { Worker(taps(in: size)) }

  /// A pixel with a weight, as has the one opposite.
  private struct Tap {
    let x: Int
    let y: Int
    let weight: Double
  }

  /// The pixels of the samples on one side.
  private func taps(in size: PixelSize) -> [Tap] {
    let step = Double(spacing) * Double(size.height) / Double(size.width)
    let (dx, dy) = (step * cos(Double(angle)), step * sin(Double(angle)))
    return (1..<lineWeights.count).flatMap { sample -> [Tap] in
      let (x, y) = (Double(sample) * dx, Double(sample) * dy)
      let (left, top) = (x.rounded(.down), y.rounded(.down))
      let weight = Double(lineWeights[sample])
      return [(0, 0), (1, 0), (0, 1), (1, 1)].compactMap { column, row in
        let across = column == 0 ? 1 - (x - left) : x - left
        let down = row == 0 ? 1 - (y - top) : y - top
        // What rounding leaves of a sample in the middle of pixels is none of it.
        guard across * down > 1e-5 else { return nil }
        return Tap(x: Int(left) + column, y: Int(top) + row, weight: weight * across * down)
      }
    }
  }

  private struct Worker: RowWorker {
    private let taps: [Tap]
    private let sum: WeightedSum
    private var places: [Int]

    init(_ taps: [Tap]) {
      self.taps = taps
      sum = WeightedSum(pairWeights: taps.map(\.weight))
      places = [Int](repeating: 0, count: sum.count)
    }

    mutating func makeRow(
      _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
    ) {
      let left = window.reach.columns
      places[0] = 4 * (window.start(ofRow: 0) + left)
      for (index, tap) in taps.enumerated() {
        places[2 * index + 1] = 4 * (window.start(ofRow: tap.y) + left + tap.x)
        places[2 * index + 2] = 4 * (window.start(ofRow: -tap.y) + left - tap.x)
      }
      let (sum, places) = (sum, places)
      let starts = places.span
      let pixels = window.allRows
      let bytes = unsafe pixels.bytes
      // In bounds: the taps are within the reach, and rows end with room for a block.
      row.fillBlocks { x in unsafe sum.words(of: bytes, places: starts, offset: 4 &* x) }
    }
  }
}

/// Adds up nine bilinear samples on the line to a point.
struct ZoomBlur: PictureFilter {
  let center: SIMD2<Float>
  /// The part of the way to the point that is between two samples.
  let step: Float

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let du = (Lanes(center.x) - place.u) * Lanes(step)
    let dv = (Lanes(center.y) - place.v) * Lanes(step)
    var sum = ColorBlock(.zero)
    for sample in -4...4 {
      let distance = Lanes(Float(sample))
      let color = picture.sample(u: place.u + du * distance, v: place.v + dv * distance)
      let weight = Lanes(lineWeights[abs(sample)])
      sum.red += color.red * weight
      sum.green += color.green * weight
      sum.blue += color.blue * weight
      sum.alpha += color.alpha * weight
    }
    return sum
  }
}
