/// Blurs rows weight by weight: down the picture, and along a row.
final class WeightedBlur: LineBlur {
  private let sum: WeightedSum
  /// The distances that have a weight: 0, then both of each pair.
  private let distances: [Int]
  private let radius: Int
  /// Where in the window or the line the pixels are that have a weight, in bytes.
  private var places: [Int]

  init(_ kernel: BlurKernel) {
    let pairs = (1..<kernel.weights.count).filter { kernel.weights[$0] > 0 }
    sum = WeightedSum(pairWeights: pairs.map { kernel.weights[$0] })
    distances = [0] + pairs.flatMap { [-$0, $0] }
    radius = kernel.radius
    places = distances
  }

  func makeRowDown(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for (index, distance) in distances.enumerated() {
      places[index] = 4 * window.start(ofRow: distance)
    }
    fill(&row, from: window.allRows)
  }

  func makeRowAlong(
    _ line: Span<SIMD4<UInt8>>, margin: Int, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for (index, distance) in distances.enumerated() { places[index] = 4 * (margin + distance) }
    precondition(
      margin >= radius && line.count >= margin + row.count + radius,
      "a line without its ends")
    fill(&row, from: line)
  }

  private func fill(_ row: inout MutableSpan<SIMD4<UInt8>>, from pixels: Span<SIMD4<UInt8>>) {
    let (sum, places) = (sum, places)
    let starts = places.span
    let bytes = unsafe pixels.bytes
    // In bounds: the places begin rows that are as long as this one.
    row.fillBlocks { x in unsafe sum.words(of: bytes, places: starts, offset: 4 &* x) }
  }
}
