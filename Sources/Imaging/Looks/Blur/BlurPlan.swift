/// How a blur is computed, found once for all pictures.
struct BlurPlan: Sendable {
  private enum Sums: Sendable {
    case weighted(BlurKernel)
    case running(RunningSum)
  }

  private let sums: Sums
  /// How far the blur looks.
  let radius: Int

  /// Plans a blur with any kernel.
  init(_ kernel: BlurKernel) {
    radius = kernel.radius
    // Up to here weighing each pixel costs less; measured with the Gaussians.
    if radius > 8, let polygon = PolygonKernel(kernel) {
      sums = .running(RunningSum(polygon))
    } else {
      sums = .weighted(kernel)
    }
  }

  /// Plans a blur with equal weights up to a distance.
  init(boxOfRadius radius: Int) {
    self.radius = radius
    // Up to here weighing each pixel costs less; measured.
    sums =
      radius > 4
      ? .running(RunningSum(PolygonKernel(boxOfRadius: radius)))
      : .weighted(.box(radius: radius))
  }

  /// The reach of a row filter that blurs.
  var reach: RowReach { RowReach(columns: 0, rows: radius + 1) }

  /// Makes what blurs the lines of a picture.
  func makeLineBlur(width: Int) -> any LineBlur {
    switch sums {
    case .weighted(let kernel): WeightedBlur(kernel)
    case .running(let sum): RunningBlur(sum, width: width)
    }
  }
}

/// Blurs a picture in one direction, row by row; rows have whole numbers of blocks.
protocol LineBlur: AnyObject {
  /// Blurs downwards to row `y`, around which the window is; rows come in order.
  func makeRowDown(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>)

  /// Blurs along a line.
  ///
  /// - Parameters:
  ///   - line: The pixels, with repeats of the first before, twice as many as the radius and 3, and of
  ///     the last after, as many as the radius and 2.
  ///   - margin: The index of the first pixel in the line.
  ///   - row: The result.
  func makeRowAlong(
    _ line: Span<SIMD4<UInt8>>, margin: Int, into row: inout MutableSpan<SIMD4<UInt8>>)
}
