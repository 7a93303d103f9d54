/// The weighted sum of 3×3 pixels plus a constant, in each colour channel; alpha stays.
struct Convolution: RowFilter {
  /// Nine weights, row by row from the top.
  let weights: [Float]
  /// What is added to the sum.
  var bias: Float = 0

  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeWorker(for size: PixelSize) -> any RowWorker { Worker(self, width: size.width) }

  /// Makes the channels of each row floats once, for the three rows that they count in.
  private struct Worker: RowWorker {
    private let top: Weights
    private let middle: Weights
    private let bottom: Weights
    private let bias: Float
    /// Rows of red, green and blue in codes; row y is in the place y modulo 3.
    private var planes: [Float]
    /// The floats of a channel of a row.
    private let length: Int
    /// The rows that have been made floats.
    private var filled = 0

    init(_ filter: Convolution, width: Int) {
      top = Weights(filter.weights[0..<3])
      middle = Weights(filter.weights[3..<6])
      bottom = Weights(filter.weights[6..<9])
      bias = filter.bias
      length = width + 2 + ColorBlock.count
      planes = [Float](repeating: 0, count: 9 * length)
    }

    mutating func makeRow(
      _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
    ) {
      let last = window.size.height - 1
      while filled <= min(y + 1, last) {
        fill(from: window.row(filled - y), count: window.size.width + 2)
        filled += 1
      }
      let (above, here, below) = (
        start(ofRow: max(y - 1, 0)), start(ofRow: y), start(ofRow: min(y + 1, last))
      )
      let (top, middle, bottom, bias, length) = (top, middle, bottom, Lanes(bias), length)
      let (planes, pixels) = (planes.span, window.row(0))
      row.fillBlocks { x in
        @inline(__always) func sum(_ channel: Int) -> Lanes {
          let place = channel &* length &+ x
          return bias + top.sum(planes, at: above &+ place) + middle.sum(planes, at: here &+ place)
            + bottom.sum(planes, at: below &+ place)
        }
        return ColorBlock(red: sum(0), green: sum(1), blue: sum(2), alpha: 0)
          .words(withAlphaOf: pixels.words(at: x + 1))
      }
    }

    private func start(ofRow y: Int) -> Int { y % 3 * 3 * length }

    private mutating func fill(from pixels: Span<SIMD4<UInt8>>, count: Int) {
      let (start, length) = (start(ofRow: filled), length)
      var planes = planes.mutableSpan
      for x in stride(from: 0, to: count, by: ColorBlock.count) {
        let words = pixels.words(at: x)
        for channel in 0..<3 {
          let codes = words &>> UInt32(truncatingIfNeeded: 8 &* channel)
          planes.setLanes(Lanes(bytes: codes), at: start &+ channel &* length &+ x)
        }
      }
    }
  }

  /// The weights of three pixels side by side, for codes.
  private struct Weights {
    private let left: Lanes
    private let middle: Lanes
    private let right: Lanes

    init(_ weights: ArraySlice<Float>) {
      let weights = weights.map { Lanes($0 / 255) }
      (left, middle, right) = (weights[0], weights[1], weights[2])
    }

    @inline(__always)
    func sum(_ planes: Span<Float>, at index: Int) -> Lanes {
      planes.lanes(at: index) * left + planes.lanes(at: index &+ 1) * middle
        + planes.lanes(at: index &+ 2) * right
    }
  }
}
