/// The median of 3×3 pixels in each colour channel, opaque.
///
/// With each column sorted, the median of all is that of three: the greatest of the lows, the median
/// of the middles and the least of the highs (Paeth, Graphics Gems 1990).
struct Median: RowFilter, RowWorker {
  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let (above, here, below) = (window.row(-1), window.row(0), window.row(1))
    row.fillBlocks { x in
      @inline(__always) func column(_ x: Int) -> Sorted {
        Sorted(
          CodeBlock(words: above.words(at: x)), CodeBlock(words: here.words(at: x)),
          CodeBlock(words: below.words(at: x)))
      }
      let (left, middle, right) = (column(x), column(x + 1), column(x + 2))
      let median = Sorted(
        ordered(ordered(left.low, middle.low).more, right.low).more,
        Sorted(left.middle, middle.middle, right.middle).middle,
        ordered(ordered(left.high, middle.high).less, right.high).less
      ).middle
      return median.words | SIMD8(repeating: 0xff00_0000)
    }
  }

  /// Three codes in order, in each of many lanes.
  private struct Sorted {
    let low: CodeBlock
    let middle: CodeBlock
    let high: CodeBlock

    @inline(__always)
    init(_ a: CodeBlock, _ b: CodeBlock, _ c: CodeBlock) {
      let (less, more) = ordered(a, b)
      let (rest, greatest) = ordered(more, c)
      high = greatest
      (low, middle) = ordered(less, rest)
    }
  }
}

/// The lesser and the greater of two codes in each lane.
@inline(__always)
private func ordered(_ a: CodeBlock, _ b: CodeBlock) -> (less: CodeBlock, more: CodeBlock) {
  @inline(__always) func excess(_ difference: SIMD16<Int16>) -> SIMD16<Int16> {
    // What a lacks to b, where it lacks anything: the sign fills its lane.
    difference & (difference &>> 15)
  }
  let redBlue = excess(a.redBlue &- b.redBlue)
  let greenAlpha = excess(a.greenAlpha &- b.greenAlpha)
  return (
    CodeBlock(redBlue: b.redBlue &+ redBlue, greenAlpha: b.greenAlpha &+ greenAlpha),
    CodeBlock(redBlue: a.redBlue &- redBlue, greenAlpha: a.greenAlpha &- greenAlpha)
  )
}
