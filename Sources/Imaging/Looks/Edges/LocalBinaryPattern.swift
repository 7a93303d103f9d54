/// Which of the neighbours of a pixel are no less than it (Ojala, Pietikäinen and Harwood 1996): bit by
/// bit top right, top, top left, left, bottom left, bottom, bottom right, right.
private struct BinaryPattern {
  /// The patterns of red and blue: sixteen bits for each.
  let redBlue: SIMD16<UInt16>
  /// The patterns of green and alpha.
  let greenAlpha: SIMD16<UInt16>

  @inline(__always)
  init(
    at x: Int, above: Span<SIMD4<UInt8>>, here: Span<SIMD4<UInt8>>, below: Span<SIMD4<UInt8>>
  ) {
    let center = CodeBlock(words: here.words(at: x + 1))
    // A neighbour that is less leaves its bit out.
    var missing = CodeBlock(redBlue: .zero, greenAlpha: .zero)
    @inline(__always) func compare(_ words: SIMD8<UInt32>, bit: Int16) {
      let neighbor = CodeBlock(words: words)
      let mask = SIMD16<Int16>(repeating: 1 << bit)
      missing.redBlue |= (neighbor.redBlue &- center.redBlue) &>> 15 & mask
      missing.greenAlpha |= (neighbor.greenAlpha &- center.greenAlpha) &>> 15 & mask
    }
    compare(above.words(at: x + 2), bit: 0)
    compare(above.words(at: x + 1), bit: 1)
    compare(above.words(at: x), bit: 2)
    compare(here.words(at: x), bit: 3)
    compare(below.words(at: x), bit: 4)
    compare(below.words(at: x + 1), bit: 5)
    compare(below.words(at: x + 2), bit: 6)
    compare(here.words(at: x + 2), bit: 7)
    let all = SIMD16<UInt16>(repeating: 0xff)
    redBlue = SIMD16(truncatingIfNeeded: missing.redBlue) ^ all
    greenAlpha = SIMD16(truncatingIfNeeded: missing.greenAlpha) ^ all
  }
}

/// Shows the pattern of the red channel as grey, opaque.
struct LocalBinaryPattern: RowFilter, RowWorker {
  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let (above, here, below) = (window.row(-1), window.row(0), window.row(1))
    row.fillBlocks { x in
      let pattern = BinaryPattern(at: x, above: above, here: here, below: below)
      let both = unsafe unsafeBitCast(pattern.redBlue, to: SIMD8<UInt32>.self)
      let red = both & SIMD8(repeating: 0xff)
      return red | red &<< 8 | red &<< 16 | SIMD8(repeating: 0xff00_0000)
    }
  }
}

/// Shows the patterns of all colour channels, opaque.
///
/// Green holds the pattern of blue and blue that of green, a slip of the original shader that is kept.
struct ColorLocalBinaryPattern: RowFilter, RowWorker {
  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let (above, here, below) = (window.row(-1), window.row(0), window.row(1))
    row.fillBlocks { x in
      let pattern = BinaryPattern(at: x, above: above, here: here, below: below)
      let redBlue = unsafe unsafeBitCast(pattern.redBlue, to: SIMD8<UInt32>.self)
      let greenAlpha = unsafe unsafeBitCast(pattern.greenAlpha, to: SIMD8<UInt32>.self)
      let red = redBlue & SIMD8(repeating: 0xff)
      let blue = redBlue &>> 16
      let green = greenAlpha & SIMD8(repeating: 0xff)
      return red | blue &<< 8 | green &<< 16 | SIMD8(repeating: 0xff00_0000)
    }
  }
}
