/// Colours in few steps, black where the red channel has a steep edge; alpha stays.
struct Toon: RowFilter, RowWorker {
  /// The steepness from which on an edge is black.
  private let threshold: Float
  /// The number of steps from 0 to 1.
  private let levels: Float

  /// Takes the parameters that the toon filters share.
  init(_ arguments: FilterArguments) {
    threshold = arguments.number("threshold")
    levels = arguments.number("quantizationLevels")
  }

  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let rows = RedRows(window)
    let here = window.row(0)
    let (levels, step) = (Lanes(levels), Lanes(1 / levels))
    row.fillBlocks { x in
      let gradient = Gradient(SobelKernel.self, at: x, of: rows)
      let isEdge = gradient.magnitude >= Lanes(threshold)
      let words = here.words(at: x + 1)
      var color = ColorBlock(words: words)
      color.mapColors { select(isEdge, 0, ($0 * levels + 0.5).floor * step) }
      return color.words(withAlphaOf: words)
    }
  }
}
