/// Blurs rows weight by weight: down the picture, and along a row.
final class WeightedBlur: LineBlur {
  private let sum: WeightedSum
  /// Where in the window or the line the pixels are that have a weight, in bytes.
  private var places: [Int]

  init(_ sum: WeightedSum) {
    self.sum = sum
    places = [Int](repeating: 0, count: sum.distances.count)
  }

  func makeRowDown(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for (index, distance) in sum.distances.enumerated() {
      places[index] = 4 * window.start(ofRow: distance)
    }
    fill(&row, from: window.allRows)
  }

  func makeRowAlong(
    _ line: Span<SIMD4<UInt8>>, margin: Int, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for (index, distance) in sum.distances.enumerated() { places[index] = 4 * (margin + distance) }
    precondition(
      margin >= sum.radius && line.count >= margin + row.count + sum.radius,
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
