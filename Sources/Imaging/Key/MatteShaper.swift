/// Clips, shrinks, grows and softens a matte, in that order.
struct MatteShaper: Hashable, Sendable {
  /// What each alpha becomes before anything else; empty where it stays.
  private let levels: [UInt8]
  private let choke: Float
  /// The weights of the neighbours at distance 0, 1, … along a line; both sides sum to 1.
  private let tent: [Float]

  /// Shapes by the settings from ``KeySettings/clipBlack`` on.
  init(_ settings: KeySettings) {
    levels = Self.levels(from: settings.clipBlack, to: settings.clipWhite)
    choke = settings.choke
    let reach = max(settings.feather, 0)
    let weights = (0...Int(reach.rounded(.up))).map { max(0, 1 - Float($0) / (reach + 1)) }
    let sum = weights.dropFirst().reduce(weights[0]) { $0 + 2 * $1 }
    tent = weights.map { $0 / sum }
  }

  /// Whether a matte is left as it is.
  var isIdentity: Bool { reach == 0 && levels.isEmpty }

  /// How far away a sample can be that decides on another.
  var reach: Int { Int(abs(choke).rounded(.up)) + tent.count - 1 }

  /// Shapes rows of `width` samples in place.
  ///
  /// Samples outside count as the nearest inside. `scratch` is of the same size and left in no particular state.
  func shape(_ matte: inout [UInt8], scratch: inout [UInt8], width: Int) {
    if !levels.isEmpty { map(&matte, by: levels) }
    if choke != 0 { chokeMatte(&matte, scratch: &scratch, width: width) }
    guard tent.count > 1 else { return }
    feather(matte, by: tent, into: &scratch, width: width)
    swap(&matte, &scratch)
  }

  /// Alpha stretched so that `black` becomes 0 and `white` 1; empty where nothing changes.
  private static func levels(from black: Float, to white: Float) -> [UInt8] {
    guard black > 0 || white < 1 else { return [] }
    return (0...255).map { alpha in
      let stretched = (Float(alpha) / 255 - black) / (white - black)
      return UInt8((min(max(stretched, 0), 1) * 255).rounded())
    }
  }

  /// Takes the least (or, to grow, the greatest) of a square; a fractional side mixes the two whole
  /// ones beside it.
  private func chokeMatte(_ matte: inout [UInt8], scratch: inout [UInt8], width: Int) {
    // Growing is shrinking the inverse.
    if choke < 0 { invert(&matte) }
    let size = abs(choke)
    for _ in 0..<Int(size) { erode(&matte, scratch: &scratch, width: width) }
    let fraction = size - size.rounded(.down)
    if fraction > 0 {
      let whole = matte
      erode(&matte, scratch: &scratch, width: width)
      mix(whole, into: &matte, share: 1 - fraction)
    }
    if choke < 0 { invert(&matte) }
  }

  /// Takes the least of 3 × 3 samples.
  private func erode(_ matte: inout [UInt8], scratch: inout [UInt8], width: Int) {
    leastAcross(matte, into: &scratch, width: width)
    leastDown(scratch, into: &matte, width: width)
  }
}

// MARK: - Kernels

private func map(_ plane: inout [UInt8], by levels: [UInt8]) {
  let levels = levels.span
  var plane = plane.mutableSpan
  for i in plane.indices { plane[i] = levels[Int(plane[i])] }
}

private func invert(_ plane: inout [UInt8]) {
  var plane = plane.mutableSpan
  for i in plane.indices { plane[i] = ~plane[i] }
}

/// Adds a share of one plane to the rest of another.
private func mix(_ added: [UInt8], into plane: inout [UInt8], share: Float) {
  let added = added.span
  var plane = plane.mutableSpan
  let weight = UInt16(share * 256 + 0.5)
  for i in plane.indices {
    let sum = UInt16(added[i]) &* weight &+ UInt16(plane[i]) &* (256 &- weight) &+ 128
    plane[i] = UInt8(truncatingIfNeeded: sum &>> 8)
  }
}

/// The least of each sample and its neighbours left and right.
private func leastAcross(_ input: [UInt8], into output: inout [UInt8], width: Int) {
  let input = input.span
  var output = output.mutableSpan
  for start in stride(from: 0, to: output.count, by: width) {
    let row = input.extracting(start..<start + width)
    let last = width - 1
    output[start] = min(row[0], row[min(1, last)])
    output[start + last] = min(row[last], row[max(last - 1, 0)])
    guard last > 1 else { continue }
    for x in 1..<last {
      // In bounds: both neighbours lie in the row.
      unsafe output[unchecked: start &+ x] = min(
        row[unchecked: x], min(row[unchecked: x &- 1], row[unchecked: x &+ 1]))
    }
  }
}

/// The least of each sample and its neighbours above and below.
private func leastDown(_ input: [UInt8], into output: inout [UInt8], width: Int) {
  let input = input.span
  var output = output.mutableSpan
  for start in stride(from: 0, to: output.count, by: width) {
    let row = input.extracting(start..<start + width)
    let above = max(start - width, 0)
    let below = min(start + width, output.count - width)
    let rowAbove = input.extracting(above..<above + width)
    let rowBelow = input.extracting(below..<below + width)
    for x in row.indices {
      unsafe output[unchecked: start &+ x] = min(
        row[unchecked: x], min(rowAbove[unchecked: x], rowBelow[unchecked: x]))
    }
  }
}

/// Mixes each sample with those around it by the weights of a tent, down and then across.
private func feather(
  _ input: [UInt8], by tent: [Float], into output: inout [UInt8], width: Int
) {
  let reach = tent.count - 1
  var line = [Float](repeating: 0, count: width + 2 * reach)
  var sums = [Float](repeating: 0, count: width)
  for start in stride(from: 0, to: output.count, by: width) {
    for x in line.indices { line[x] = 0 }
    for (distance, weight) in tent.enumerated() {
      let above = max(start - distance * width, start % width)
      let below = min(start + distance * width, output.count - width)
      accumulate(input, at: above, weight, into: &line, from: reach, count: width)
      if distance == 0 { continue }
      accumulate(input, at: below, weight, into: &line, from: reach, count: width)
    }
    for i in 0..<reach {
      line[i] = line[reach]
      line[reach + width + i] = line[reach + width - 1]
    }
    for x in sums.indices { sums[x] = 0 }
    for (distance, weight) in tent.enumerated() {
      accumulate(line, at: reach - distance, weight, into: &sums)
      if distance > 0 { accumulate(line, at: reach + distance, weight, into: &sums) }
    }
    round(sums, into: &output, at: start)
  }
}

private func accumulate(
  _ input: [UInt8], at start: Int, _ weight: Float, into sums: inout [Float], from first: Int,
  count: Int
) {
  let input = input.span.extracting(start..<start + count)
  var sums = sums.mutableSpan
  precondition(first >= 0 && first + count <= sums.count, "rows must agree")
  for x in input.indices {
    // In bounds by the check above.
    unsafe sums[unchecked: first &+ x] += Float(input[x]) * weight
  }
}

private func accumulate(
  _ input: [Float], at start: Int, _ weight: Float, into sums: inout [Float]
) {
  var sums = sums.mutableSpan
  let input = input.span.extracting(start..<start + sums.count)
  for x in sums.indices { sums[x] += input[x] * weight }
}

private func round(_ sums: [Float], into output: inout [UInt8], at start: Int) {
  let sums = sums.span
  var output = output.mutableSpan
  precondition(start >= 0 && start + sums.count <= output.count, "rows must agree")
  for x in sums.indices {
    // In bounds by the check above.
    unsafe output[unchecked: start &+ x] = UInt8(truncatingIfNeeded: roundedToInteger(sums[x]))
  }
}
