/// The error of connectivity, in thousands of pixels.
///
/// For each of ten thresholds the largest area that both mattes cover at least so much is sought; a
/// pixel's connectivity is full up to the level at which it falls out of that area, and is less by
/// what it has beyond it, from 0.15 on (C. Rhemann et al., "A perceptually motivated online benchmark
/// for image matting", 2009).
func connectivityError(of alpha: [Float], from truth: [Float], width: Int) -> Double {
  let levels = connectedLevels(of: zip(alpha, truth).map(min), width: width)
  var sum = 0.0
  for index in levels.indices {
    func connectivity(_ value: Float) -> Float {
      let beyond = value - levels[index]
      return beyond >= 0.15 ? 1 - beyond : 1
    }
    sum += Double(abs(connectivity(alpha[index]) - connectivity(truth[index])))
  }
  return sum / 1000
}

/// For each pixel the highest level, in steps of a tenth, up to which it belongs to the largest area
/// at every level.
private func connectedLevels(of common: [Float], width: Int) -> [Float] {
  let thresholds = (1...10).map { Float(Double($0) * 0.1) }
  var areas = Areas(count: common.count)
  var pixels = [[Int]](repeating: [], count: thresholds.count)
  for (index, value) in common.enumerated() {
    guard let level = thresholds.lastIndex(where: { value >= $0 }) else { continue }
    pixels[level].append(index)
  }
  var levels = [Float](repeating: 1, count: common.count)
  // From the highest level down areas only grow and join; the lowest miss is written last.
  for level in thresholds.indices.reversed() {
    for index in pixels[level] {
      areas.add(index)
      let x = index % width
      if x > 0 { areas.join(index, index - 1) }
      if x + 1 < width { areas.join(index, index + 1) }
      if index >= width { areas.join(index, index - width) }
      if index + width < common.count { areas.join(index, index + width) }
    }
    let largest = areas.largest
    let below = level == 0 ? 0 : thresholds[level - 1]
    for index in levels.indices where largest == nil || areas.root(of: index) != largest {
      levels[index] = below
    }
  }
  return levels
}

/// Disjoint areas of pixels that can be joined.
///
/// Union by size with halved paths (Tarjan and van Leeuwen, "Worst-case analysis of set union
/// algorithms", 1984).
private struct Areas {
  /// The pixel that stands nearer to the area's root; −1 for a pixel in no area.
  private var parents: [Int]
  private var sizes: [Int]
  /// The root of the largest area; of those of one size the first pixel's.
  private(set) var largest: Int?

  init(count: Int) {
    parents = Array(repeating: -1, count: count)
    sizes = Array(repeating: 0, count: count)
  }

  mutating func add(_ index: Int) {
    parents[index] = index
    sizes[index] = 1
    keepLargest(index)
  }

  mutating func join(_ first: Int, _ second: Int) {
    guard let one = root(of: first), let other = root(of: second), one != other else { return }
    let (large, small) = sizes[one] >= sizes[other] ? (one, other) : (other, one)
    parents[small] = large
    sizes[large] += sizes[small]
    if largest == small { largest = large }
    keepLargest(large)
  }

  mutating func root(of index: Int) -> Int? {
    guard parents[index] >= 0 else { return nil }
    var at = index
    while parents[at] != at {
      parents[at] = parents[parents[at]]
      at = parents[at]
    }
    return at
  }

  private mutating func keepLargest(_ root: Int) {
    guard let largest else { return self.largest = root }
    if sizes[root] > sizes[largest] { self.largest = root }
  }
}
