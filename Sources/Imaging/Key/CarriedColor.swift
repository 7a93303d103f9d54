/// The foreground's colour carried into the pixels beside it, at half resolution.
///
/// Each sample is the mean of the foreground's colours around it by a Gaussian of 2.5 pixels, times the share of
/// foreground there, with the share as fourth component.
struct CarriedColor {
  /// Samples on either side that are looked at.
  static let reach = 3
  /// exp(−½·(i/1.25)²), which sum to 1 over both sides.
  private static let weights: [4 of Float] = {
    let raw: [4 of Float] = [1, 0.7261490, 0.2780373, 0.0561348]
    let sum = raw[0] + 2 * (raw[1] + raw[2] + raw[3])
    return [raw[0] / sum, raw[1] / sum, raw[2] / sum, raw[3] / sum]
  }()

  /// The samples of the line at hand, where they were prepared.
  private(set) var samples: [SIMD4<Float>] = []
  private var preparedLine = -1
  private var isPrepared: [Bool] = []

  /// Sums of 2 × 2 pixels of foreground, made when they are first needed.
  private var sums: [SIMD4<Float>] = []
  private var hasSums: [Bool] = []
  private var column: [SIMD4<Float>] = []
  private var lines = 0..<0
  private var width = 0
  private static let block = 16

  private var blocks: Int { (width + Self.block - 1) / Self.block }

  /// Begins with other rows: `lines` pairs of them of `width` samples.
  mutating func begin(width: Int, lines: Range<Int>) {
    self.width = width
    self.lines = lines
    preparedLine = -1
    samples.resize(to: width, with: .zero)
    if column.count != width + 2 * Self.reach {
      column = [SIMD4<Float>](repeating: .zero, count: width + 2 * Self.reach)
    }
    sums.resize(to: width * lines.count, with: .zero)
    hasSums.removeAll(keepingCapacity: true)
    hasSums.append(contentsOf: repeatElement(false, count: blocks * lines.count))
  }

  /// Makes ``samples`` right in a range of a line.
  mutating func prepare(
    line: Int, samples range: Range<Int>, color: [SIMD4<UInt8>], colorFrom: Int, core: [UInt8],
    coreFrom: Int
  ) {
    if preparedLine != line {
      preparedLine = line
      isPrepared.removeAll(keepingCapacity: true)
      isPrepared.append(contentsOf: repeatElement(false, count: blocks))
    }
    for block in range.lowerBound / Self.block...(range.upperBound - 1) / Self.block
    where !isPrepared[block] {
      isPrepared[block] = true
      let span = block * Self.block..<min((block + 1) * Self.block, width)
      let reach = max(span.lowerBound - Self.reach, 0)..<min(span.upperBound + Self.reach, width)
      let near =
        max(line - Self.reach, lines.lowerBound)...min(line + Self.reach, lines.upperBound - 1)
      for other in near {
        for part in reach.lowerBound / Self.block...(reach.upperBound - 1) / Self.block {
          sum(part, line: other, color, colorFrom, core, coreFrom)
        }
      }
      let first = lines.lowerBound
      mixLines(
        sums, near.lowerBound - first...near.upperBound - first, around: line - first, width: width,
        reach, weights: Self.weights, into: &column)
      mixSamples(column, span, weights: Self.weights, into: &samples)
    }
  }

  /// Sums the foreground of a block of a line, once.
  private mutating func sum(
    _ block: Int, line: Int, _ color: [SIMD4<UInt8>], _ colorFrom: Int, _ core: [UInt8],
    _ coreFrom: Int
  ) {
    let flag = (line - lines.lowerBound) * blocks + block
    guard !hasSums[flag] else { return }
    hasSums[flag] = true
    let stride = 2 * width
    let range = block * Self.block..<min((block + 1) * Self.block, width)
    sumCore(
      color, at: (2 * line - colorFrom) * stride, core, at: (2 * line - coreFrom) * stride,
      stride: stride, range, into: &sums, at: (line - lines.lowerBound) * width)
  }
}

// MARK: - Kernels

/// Mixes the sums of lines straight above and below each other, the middle one at `middle`.
///
/// `column` has `reach` samples more at either end, which stay zero.
private func mixLines(
  _ sums: [SIMD4<Float>], _ lines: ClosedRange<Int>, around middle: Int, width: Int,
  _ range: Range<Int>, weights: [4 of Float], into column: inout [SIMD4<Float>]
) {
  let sums = sums.span
  var column = column.mutableSpan
  let reach = CarriedColor.reach
  precondition(range.lowerBound >= 0 && range.upperBound + 2 * reach <= column.count)
  precondition(lines.lowerBound >= 0 && (lines.upperBound + 1) * width <= sums.count)
  for x in range { column[x + reach] = .zero }
  for line in lines {
    let weight = weights[abs(line - middle)]
    let start = line * width
    for x in range {
      // In bounds by the checks.
      unsafe column[unchecked: x &+ reach] += sums[unchecked: start &+ x] * weight
    }
  }
}

/// Mixes each sample with those beside it.
private func mixSamples(
  _ column: [SIMD4<Float>], _ range: Range<Int>, weights: [4 of Float],
  into samples: inout [SIMD4<Float>]
) {
  let column = column.span
  var samples = samples.mutableSpan
  let reach = CarriedColor.reach
  precondition(range.lowerBound >= 0 && range.upperBound + 2 * reach <= column.count)
  precondition(range.upperBound <= samples.count)
  for x in range {
    let middle = x &+ reach
    // In bounds by the checks.
    var sum = unsafe column[unchecked: middle] * weights[0]
    for distance in 1...reach {
      let sides =
        unsafe column[unchecked: middle &- distance] + column[unchecked: middle &+ distance]
      sum += sides * weights[distance]
    }
    unsafe samples[unchecked: x] = sum
  }
}

/// Sums colour and number of 2 × 2 pixels that are foreground, a quarter each.
private func sumCore(
  _ color: [SIMD4<UInt8>], at colorStart: Int, _ core: [UInt8], at coreStart: Int, stride: Int,
  _ range: Range<Int>, into sums: inout [SIMD4<Float>], at start: Int
) {
  let (color, core) = (color.span, core.span)
  var sums = sums.mutableSpan
  for k in range {
    var sum = SIMD4<Float>.zero
    for row in 0..<2 {
      for place in row * stride + 2 * k...row * stride + 2 * k + 1
      where core[coreStart + place] != 0 {
        let pixel = color[colorStart + place]
        sum += SIMD4(Float(pixel.x), Float(pixel.y), Float(pixel.z), 1)
      }
    }
    sums[start + k] = sum * 0.25
  }
}

extension Array {
  /// Makes the array have a length, keeping its storage where it suffices.
  mutating func resize(to count: Int, with element: Element) {
    if self.count > count { removeLast(self.count - count) }
    if self.count < count {
      append(contentsOf: repeatElement(element, count: count - self.count))
    }
  }
}
