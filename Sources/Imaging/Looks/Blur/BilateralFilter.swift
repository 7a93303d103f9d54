/// Filters that blur but keep edges.
extension FilterCatalogue {
  static let bilateralFilters = [
    FilterDeclaration(
      "bilateral", "Blurs surfaces and keeps edges.", like: "BilateralFilter",
      [
        .number(
          "distanceNormalizationFactor", default: 8, in: 0...1000, unit: "factor",
          "The higher, the less of other colours is mixed in."),
        .number(
          "texelSpacingMultiplier", default: 4, in: 0...100, unit: "pixels between samples",
          "How far apart the samples are."),
      ]
    ) { arguments in
      let factor = arguments.number("distanceNormalizationFactor")
      let spacing = arguments.number("texelSpacingMultiplier")
      return .sequence(
        [BilateralLine.Direction.down, .along].map {
          .rows(BilateralLine(direction: $0, factor: factor, spacing: spacing))
        })
    }
  ]
}

/// Adds up nine samples on a line, each with less weight the more its colour differs from that of the
/// middle: base weight · (1 − min(n · distance, 1)), divided by the sum of the weights.
///
/// It is the differences from the middle that are added up, in sixteen bits; distances and weights are
/// floats.
struct BilateralLine: RowFilter {
  enum Direction: Sendable {
    case down, along
  }

  let direction: Direction
  /// n, by which distances between colours are multiplied: 0…2, of red, green, blue and alpha.
  let factor: Float
  /// The pixels between samples; a sample between pixels is mixed of two.
  let spacing: Float

  func reach(in size: PixelSize) -> RowReach {
    let radius = Int((4 * spacing).rounded(.up))
    return direction == .down
      ? RowReach(columns: 0, rows: radius) : RowReach(columns: radius, rows: 0)
  }

  func makeWorker(for size: PixelSize) -> any RowWorker { Worker(filter: self) }

  /// A sample beside the middle.
  private struct Sample {
    /// The pixels from the middle to the first of the two that it is between, and to the second.
    let distances: (Int, Int)
    /// The shares of the two in 1/256.
    let shares: (UInt16, UInt16)
    let weight: Float
  }

  private var samples: [Sample] {
    let weights: [Float] = [0.15, 0.12, 0.09, 0.05]
    return weights.indices.flatMap { index in
      [-1, 1].map { side in
        let place = spacing * Float(side * (index + 1))
        let pixel = place.rounded(.down)
        let share = UInt16(((place - pixel) * 256).rounded())
        return Sample(
          distances: (Int(pixel), Int(pixel) + (share > 0 ? 1 : 0)), shares: (256 - share, share),
          weight: weights[index])
      }
    }
  }

  private struct Worker: RowWorker {
    private let direction: Direction
    private let samples: [Sample]
    /// What turns the square root of a sum of squares of bytes into n times the distance.
    private let scale: Float
    /// Where the two pixels of each sample are in the window, in bytes.
    private var places: [(Int, Int)]

    init(filter: BilateralLine) {
      direction = filter.direction
      samples = filter.samples
      scale = filter.factor / 255
      places = samples.map(\.distances)
    }

    mutating func makeRow(
      _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
    ) {
      let middle = 4 * (window.start(ofRow: 0) + window.reach.columns)
      for (index, sample) in samples.enumerated() {
        let (first, second) = sample.distances
        places[index] =
          direction == .along
          ? (middle + 4 * first, middle + 4 * second)
          : (4 * window.start(ofRow: first), 4 * window.start(ofRow: second))
      }
      let (samples, places, scale) = (samples, places, Lanes(scale))
      let (taps, starts) = (samples.span, places.span)
      let pixels = window.allRows
      let bytes = unsafe pixels.bytes
      row.fillBlocks { x in
        // In bounds: samples are within the reach, and rows end with room for a block.
        let center = unsafe SplitBytes(bytes.pixelWords(at: middle &+ 4 &* x))
        // Half of what eight products lose by being cut.
        var (sum, total) = (SplitBytes(4), Lanes(0.18))
        for index in taps.indices {
          let (first, second) = unsafe starts[unchecked: index]
          let tap = unsafe taps[unchecked: index]
          var color = unsafe SplitBytes(bytes.pixelWords(at: first &+ 4 &* x))
          if first == second {
            color = color.scaled(by: 16)
          } else {
            let next = unsafe SplitBytes(bytes.pixelWords(at: second &+ 4 &* x))
            color = color.sixteenths(tap.shares, next)
          }
          let difference = color.minus(center.scaled(by: 16))
          let distance = difference.rounded.squaredLength.squareRoot * scale
          let weight = maximum(1 - distance, 0) * Lanes(tap.weight)
          total += weight
          sum.add(difference.scaled(by: 8), weighted: weight)
        }
        return center.plus(sum, over: total)
      }
    }
  }
}
