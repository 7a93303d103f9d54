internal import Glibc

extension RGBAImage {
  /// The picture at another size, by Lanczos resampling with three lobes.
  ///
  /// Works across and then down, row by row, on gamma-encoded values as picture editors do by default,
  /// premultiplied by alpha so that the colour of transparent pixels does not bleed in.
  /// Source: K. Turkowski, "Filters for Common Resampling Tasks", Graphics Gems I (1990).
  public func resized(to newSize: PixelSize) -> RGBAImage {
    guard newSize != size else { return self }
    let across = ResamplingTaps(from: width, to: newSize.width)
    let down = ResamplingTaps(from: height, to: newSize.height)
    var rows = ResampledRows(across: across, count: down.longest)
    let source = view
    return RGBAImage(size: newSize) { y, output in
      let taps = down.taps[y]
      rows.load(through: taps.first + taps.weights.count - 1, of: source)
      rows.append(mixedBy: taps, to: &output)
    }
  }
}

/// For each sample of a resampled line, the input samples it is mixed of.
struct ResamplingTaps {
  /// The input samples from `first` on and their weights, which sum to 1.
  struct Taps {
    var first: Int
    var weights: [Float]
  }

  let taps: [Taps]
  /// The greatest number of weights.
  let longest: Int

  /// Resamples `count` samples to `newCount`.
  init(from count: Int, to newCount: Int) {
    precondition(count > 0 && newCount > 0, "a line has at least one sample")
    let scale = Double(count) / Double(newCount)
    // Shrinking, the filter is stretched over the input so that it also takes the detail away that
    // the output cannot show.
    let stretch = max(scale, 1)
    taps = (0..<newCount).map { index in
      let center = (Double(index) + 0.5) * scale - 0.5
      let first = max(Int((center - 3 * stretch).rounded(.up)), 0)
      let last = min(Int((center + 3 * stretch).rounded(.down)), count - 1)
      let weights = (first...last).map { Self.lanczos((Double($0) - center) / stretch) }
      let sum = weights.reduce(0, +)
      return Taps(first: first, weights: weights.map { Float($0 / sum) })
    }
    longest = taps.reduce(0) { max($0, $1.weights.count) }
  }

  /// sinc(x)·sinc(x/3) within three lobes.
  private static func lanczos(_ x: Double) -> Double {
    guard x != 0 else { return 1 }
    guard abs(x) < 3 else { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}

/// The rows that a window of resampled rows is mixed of, resampled across already.
private struct ResampledRows {
  private let across: ResamplingTaps
  /// Premultiplied rows, that of input row `y` at `y % count`.
  private var ring: [[SIMD4<Float>]]
  private var nextRow = 0
  private var inputRow: [SIMD4<Float>] = []
  private var sums: [SIMD4<Float>]

  init(across: ResamplingTaps, count: Int) {
    self.across = across
    sums = [SIMD4<Float>](repeating: .zero, count: across.taps.count)
    ring = [[SIMD4<Float>]](repeating: sums, count: count)
  }

  /// Takes input rows in up to `last`.
  mutating func load(through last: Int, of source: RGBAView) {
    while nextRow <= last {
      premultiply(source.row(nextRow), into: &inputRow)
      resample(inputRow, by: across.taps, into: &ring[nextRow % ring.count])
      nextRow += 1
    }
  }

  /// Mixes rows and appends the result as straight pixels.
  mutating func append(
    mixedBy taps: ResamplingTaps.Taps, to output: inout OutputSpan<SIMD4<UInt8>>
  ) {
    for x in sums.indices { sums[x] = .zero }
    for (index, weight) in taps.weights.enumerated() {
      add(ring[(taps.first + index) % ring.count], times: weight, to: &sums)
    }
    for sum in sums { output.append(straightPixel(sum)) }
  }
}

// MARK: - Kernels

private func premultiply(_ row: Span<SIMD4<UInt8>>, into output: inout [SIMD4<Float>]) {
  output.removeAll(keepingCapacity: true)
  output.reserveCapacity(row.count)
  for x in row.indices {
    let pixel = row[x]
    let alpha = Float(pixel.w)
    let share = alpha * (1 / 255)
    output.append(
      SIMD4(Float(pixel.x) * share, Float(pixel.y) * share, Float(pixel.z) * share, alpha))
  }
}

private func resample(
  _ input: [SIMD4<Float>], by taps: [ResamplingTaps.Taps], into output: inout [SIMD4<Float>]
) {
  let input = input.span
  var output = output.mutableSpan
  for x in output.indices {
    var sum = SIMD4<Float>.zero
    let first = taps[x].first
    for (i, weight) in taps[x].weights.enumerated() { sum += input[first + i] * weight }
    output[x] = sum
  }
}

private func add(_ row: [SIMD4<Float>], times weight: Float, to sums: inout [SIMD4<Float>]) {
  let row = row.span
  var sums = sums.mutableSpan
  precondition(row.count == sums.count, "rows must agree")
  for x in sums.indices { sums[x] += row[x] * weight }
}

/// A premultiplied pixel in 8-bit steps as a straight one; the filter's overshoot is cut off.
private func straightPixel(_ sum: SIMD4<Float>) -> SIMD4<UInt8> {
  guard sum.w >= 0.5 else { return .zero }
  // By the alpha before it is cut off: its overshoot is the colour's too.
  let share = 255 / sum.w
  func byte(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: roundedToInteger(min(max(value, 0), 255)))
  }
  return SIMD4(byte(sum.x * share), byte(sum.y * share), byte(sum.z * share), byte(sum.w))
}
