/// Blurs rows with a running sum: down the picture, which keeps the sums of a whole row, and along a
/// row.
final class RunningBlur: LineBlur {
  private let sum: RunningSum
  /// The sums of each half of the words of a row.
  private var states: [RunningSum.State]
  /// Where in the window or the line the pixels are that a step reads, in bytes.
  private var places: [Int]

  init(_ sum: RunningSum, width: Int) {
    self.sum = sum
    places = [Int](repeating: 0, count: sum.distances.count)
    // Four vectors for a block of eight pixels.
    let blocks = (width + ColorBlock.count - 1) / ColorBlock.count
    states = [RunningSum.State](repeating: sum.state(ofEven: .zero), count: 4 * blocks)
  }

  func makeRowDown(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    guard y == 0 else { return advance(to: 0, from: window, into: &row) }
    // So far up that all rows there are repeats of the first.
    let bytes = unsafe window.row(0).bytes
    for block in 0..<states.count / 4 {
      for half in 0..<2 {
        let words = unsafe bytes.byteWords(at: 32 &* block &+ 16 &* half)
        let index = 4 &* block &+ 2 &* half
        states[index] = sum.state(ofEven: words & ByteWords(repeating: 0xff))
        states[index &+ 1] = sum.state(ofEven: words &>> 8)
      }
    }
    for early in 1 - sum.radius...0 { advance(to: early, from: window, into: &row) }
  }

  /// Moves the sums on to the row that is `offset` below that of the window.
  private func advance(
    to offset: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for (index, distance) in sum.distances.enumerated() {
      // Above the picture all rows are its first, and the reach of the window does not matter.
      places[index] = 4 * window.start(ofRow: max(offset + distance, -1 - sum.radius))
    }
    let (sum, places) = (sum, places)
    let pixels = window.allRows
    let starts = places.span
    let bytes = unsafe pixels.bytes
    // Only a local's memory can be written to through a span.
    var held: [RunningSum.State] = []
    swap(&held, &self.states)
    defer { swap(&held, &self.states) }
    var states = held.mutableSpan
    precondition(4 * row.count == ColorBlock.count * states.count, "a row of another width")
    // In bounds: the places begin rows that are as long as this one.
    for block in 0..<states.count / 4 {
      let state = 4 &* block
      let first = unsafe sum.steps(of: bytes, places: starts, offset: 32 &* block)
      let low0 = unsafe sum.advance(&states[unchecked: state], by: first.low)
      let high0 = unsafe sum.advance(&states[unchecked: state &+ 1], by: first.high)
      let second = unsafe sum.steps(of: bytes, places: starts, offset: 32 &* block &+ 16)
      let low1 = unsafe sum.advance(&states[unchecked: state &+ 2], by: second.low)
      let high1 = unsafe sum.advance(&states[unchecked: state &+ 3], by: second.high)
      unsafe row.setBlock(block, to: joined((low0, low1), (high0, high1)))
    }
  }

  func makeRowAlong(
    _ line: Span<SIMD4<UInt8>>, margin: Int, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    // Two pixels a step; so far left that all pixels there are repeats of the first.
    let lead = sum.radius + sum.radius % 2
    for (index, distance) in sum.distances.enumerated() { places[index] = 4 * (margin + distance) }
    precondition(
      margin >= 2 * lead + 1 && line.count >= margin + row.count + sum.radius + 2,
      "a line without its ends")
    let (sum, places) = (sum, places)
    let starts = places.span
    let bytes = unsafe line.bytes
    @inline(__always) func codes(_ place: Int) -> ByteWords {
      // In bounds by the precondition.
      ByteWords(
        truncatingIfNeeded: unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: place, as: SIMD8<UInt8>.self))
    }
    var state = sum.state(ofEven: codes(4 * margin))
    var (change, total) = (state.change.lowHalf, state.sum.lowHalf)
    @inline(__always) func advance(to x: Int) -> SIMD8<Int32> {
      let step = sum.step { tap in codes(unsafe starts[unchecked: tap] &+ 4 &* x) }
      change &+= step.change.lowHalf
      let first = total &+ change &+ step.edge.lowHalf
      change &+= step.change.highHalf
      total = first &+ change &+ step.edge.highHalf
      return SIMD8(lowHalf: first, highHalf: total)
    }
    for x in stride(from: -lead, to: 0, by: 2) { state.sum = advance(to: x) }
    row.fillBlocks { x in
      @inline(__always) func pair(_ x: Int) -> SIMD8<UInt8> {
        SIMD8(truncatingIfNeeded: sum.codes(advance(to: x)))
      }
      let low = SIMD16(lowHalf: pair(x), highHalf: pair(x &+ 2))
      let high = SIMD16(lowHalf: pair(x &+ 4), highHalf: pair(x &+ 6))
      // Eight pixels of four bytes.
      return unsafe unsafeBitCast(SIMD32(lowHalf: low, highHalf: high), to: SIMD8<UInt32>.self)
    }
  }
}
