/// Filters that make edges stand out.
extension FilterCatalogue {
  static let sharpenFilters = [
    FilterDeclaration(
      "sharpen", "Sharpens, or with negative numbers softens.", like: "SharpenFilter",
      [
        .number(
          "sharpness", default: 0, in: -4...4, unit: "factor", "Above 0 sharpens, below softens.")
      ]
    ) { arguments in
      .rows(Sharpen(sharpness: arguments.number("sharpness")))
    }
  ]
}

/// Subtracts the four neighbours: c·(1 + 4s) − s·(left + right + up + down).
///
/// Alpha is that of the pixel above, a slip of the original shader that is kept.
struct Sharpen: RowFilter, RowWorker {
  let sharpness: Float

  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let (above, here, below) = (window.row(-1), window.row(0), window.row(1))
    let (center, edge) = (Lanes(1 + 4 * sharpness), Lanes(sharpness))
    row.fillBlocks { x in
      let left = ColorBlock(words: here.words(at: x))
      let middle = ColorBlock(words: here.words(at: x + 1))
      let right = ColorBlock(words: here.words(at: x + 2))
      let up = ColorBlock(words: above.words(at: x + 1))
      let down = ColorBlock(words: below.words(at: x + 1))
      return ColorBlock(
        red: middle.red * center - (left.red + right.red + up.red + down.red) * edge,
        green: middle.green * center - (left.green + right.green + up.green + down.green) * edge,
        blue: middle.blue * center - (left.blue + right.blue + up.blue + down.blue) * edge,
        alpha: up.alpha
      ).words
    }
  }
}
