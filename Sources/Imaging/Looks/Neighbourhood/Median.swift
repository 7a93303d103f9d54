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
          Bytes(above.words(at: x)), Bytes(here.words(at: x)), Bytes(below.words(at: x)))
      }
      let (left, middle, right) = (column(x), column(x + 1), column(x + 2))
      let median = Sorted(
        greater(greater(left.low, middle.low), right.low),
        Sorted(left.middle, middle.middle, right.middle).middle,
        lesser(lesser(left.high, middle.high), right.high)
      ).middle
      return median.words | SIMD8(repeating: 0xff00_0000)
    }
  }

  /// Three bytes in order, in each of many lanes.
  private struct Sorted {
    let low: Bytes
    let middle: Bytes
    let high: Bytes

    @inline(__always)
    init(_ a: Bytes, _ b: Bytes, _ c: Bytes) {
      let (less, more) = (lesser(a, b), greater(a, b))
      low = lesser(less, c)
      high = greater(more, c)
      middle = greater(less, lesser(more, c))
    }
  }
}

/// The channels of eight pixels.
private struct Bytes {
  let values: SIMD32<UInt8>

  @inline(__always)
  init(_ values: SIMD32<UInt8>) { self.values = values }

  @inline(__always)
  init(_ words: SIMD8<UInt32>) { values = unsafe unsafeBitCast(words, to: SIMD32<UInt8>.self) }

  var words: SIMD8<UInt32> {
    @inline(__always) get { unsafe unsafeBitCast(values, to: SIMD8<UInt32>.self) }
  }
}

@inline(__always)
private func lesser(_ a: Bytes, _ b: Bytes) -> Bytes {
  Bytes(a.values.replacing(with: b.values, where: b.values .< a.values))
}

@inline(__always)
private func greater(_ a: Bytes, _ b: Bytes) -> Bytes {
  Bytes(a.values.replacing(with: b.values, where: a.values .< b.values))
}
