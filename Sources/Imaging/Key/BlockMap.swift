/// What is known of a picture's blocks before they are converted: eight chroma samples of a row each.
///
/// Most of a sprite clip is plain screen or plain foreground; only what is neither is worth the work
/// of mode `clean`.
struct BlockMap {
  /// What is known of a block.
  struct Kind: OptionSet {
    let rawValue: UInt8
    /// It is not plain screen, nor are all blocks above and below it.
    static let isBusy = Kind(rawValue: 1)
    /// Chroma changes in or beside it.
    static let isVaried = Kind(rawValue: 2)
    /// It and all beside it is foreground by its chroma.
    static let isSolid = Kind(rawValue: 4)

    /// Whether it is neither plain screen nor solid.
    var isOpen: Bool { intersection([.isBusy, .isSolid]) == .isBusy }
  }

  /// Chroma samples in a block.
  static let width = 8
  /// How far chroma codes of a plain block are apart from its middle at most: noise, and no edge.
  private static let flat = Int8(2)
  /// The first coverage from which on foreground is solid.
  static let solid: UInt8 = 251

  /// Blocks in a row.
  private(set) var count = 0
  private var kinds = RowStore<Kind>(ring: 1, width: 0, filledWith: [])
  private var busy: [Range<Int>] = []

  /// The kinds of the blocks of row `y` of samples.
  func kinds(row y: Int) -> SampleRow<Kind> { kinds[y] }

  /// Visits the first pixels of each half of the blocks of row `y` of pixels that are neither plain
  /// screen nor solid.
  @inline(always)
  func visitOpen(row y: Int, _ visit: (_ x: Int) -> Void) {
    let kinds = kinds[y / 2]
    for block in busy[y / 2] where kinds[block].isOpen {
      visit(2 * Self.width * block)
      visit(2 * Self.width * block + 8)
    }
  }

  /// The blocks of row `y` of samples from the first busy one to the last.
  func busy(row y: Int) -> Range<Int> { busy[y] }

  /// The blocks of all rows from the first busy one to the last.
  var columns: Range<Int> {
    var columns = count..<count
    for row in busy where !row.isEmpty {
      columns =
        min(
          columns.lowerBound, row.lowerBound)..<max(
          columns.isEmpty ? 0 : columns.upperBound, row.upperBound)
    }
    return columns
  }

  /// Has all blocks of a picture of `size` chroma samples looked at.
  mutating func markAll(of size: PixelSize) {
    let count = (size.width + Self.width - 1) / Self.width
    if self.count != count || busy.count != size.height {
      self.count = count
      kinds = RowStore(size: PixelSize(width: count, height: size.height), filledWith: .isBusy)
    } else {
      for y in 0..<size.height { kinds[y].fill(0..<count, with: .isBusy) }
    }
    busy.removeAll(keepingCapacity: true)
    busy.append(contentsOf: repeatElement(0..<count, count: size.height))
  }

  /// Looks at a 4:2:0 picture whose chroma is loaded, and finds coverage where it is not plain screen.
  ///
  /// All is busy where no codes are known to be `screen`.
  mutating func find(in planes: HalfPlanes, screen: CodeBox?, coverage table: [UInt8]) {
    markAll(of: planes.size)
    if let screen { clearScreen(in: planes, screen) }
    let table = table.span
    for y in 0..<planes.size.height {
      let row = planes.coverage[y]
      row.fill(-16..<planes.size.width + 16, with: 0)
      let kinds = kinds[y]
      for block in busy[y] where kinds[block].contains(.isBusy) {
        planes.findCoverage(block * Self.width, row: y, in: table)
      }
      // Beside the picture is more of the same.
      row.fill(planes.size.width..<planes.size.width + 16, with: row[planes.size.width - 1])
      row.fill(-16..<0, with: row[0])
    }
    for y in 0..<planes.size.height {
      let near = (above: max(y - 1, 0), below: min(y + 1, planes.size.height - 1))
      let rows = (
        cb: RowTriple(planes.cb, near.above, y, near.below),
        cr: RowTriple(planes.cr, near.above, y, near.below),
        coverage: RowTriple(planes.coverage, near.above, y, near.below)
      )
      let kinds = kinds[y]
      for block in busy[y] where kinds[block].contains(.isBusy) {
        kinds[block] = Self.kind(
          block * Self.width, cb: rows.cb, cr: rows.cr, coverage: rows.coverage)
      }
    }
  }

  /// Clears the blocks that are plain screen, as are those above and below them.
  private mutating func clearScreen(in planes: HalfPlanes, _ screen: CodeBox) {
    let (cbLow, cbHigh) = (screen.cb.lowerBound, screen.cb.upperBound)
    let (crLow, crHigh) = (screen.cr.lowerBound, screen.cr.upperBound)
    let low = (SIMD16<UInt8>(repeating: cbLow), SIMD16<UInt8>(repeating: crLow))
    let span = (
      SIMD16<UInt8>(repeating: cbHigh - cbLow), SIMD16<UInt8>(repeating: crHigh - crLow)
    )
    var above: [Bool] = Array(repeating: false, count: count)
    var here = above
    var below = above
    func look(_ y: Int, _ busy: inout [Bool]) {
      let (cb, cr) = (planes.cb[y], planes.cr[y])
      for block in 0..<count {
        // The block and four samples on either side.
        let first = block * Self.width - 4
        let (b, r) = (cb.sixteen(first) &- low.0, cr.sixteen(first) &- low.1)
        let outside = (b.greater(span.0) ^ span.0) | (r.greater(span.1) ^ span.1)
        busy[block] = !outside.isClear
      }
    }
    look(0, &below)
    for y in 0..<planes.size.height {
      swap(&above, &here)
      swap(&here, &below)
      if y + 1 < planes.size.height { look(y + 1, &below) } else { below = here }
      if y == 0 { above = here }
      let kinds = kinds[y]
      var (first, end) = (count, 0)
      for block in 0..<count {
        if above[block] || here[block] || below[block] {
          (first, end) = (min(first, block), block + 1)
        } else {
          kinds[block] = []
        }
      }
      busy[y] = min(first, end)..<end
    }
  }

  @inline(always)
  private static func kind(
    _ x: Int, cb: RowTriple, cr: RowTriple, coverage: RowTriple
  ) -> Kind {
    let first = x - 4
    let solid = coverage.least(first)
    // Off the middle by the width of the range, so that one comparison sees either side.
    let spread = cb.greatest(first, above: cb.here[x + 4] &- UInt8(bitPattern: flat)).greater(
      cr.greatest(first, above: cr.here[x + 4] &- UInt8(bitPattern: flat)))
    var kind: Kind = .isBusy
    let widest = SIMD16<UInt8>(repeating: 2 * UInt8(bitPattern: flat))
    if !(spread.greater(widest) ^ widest).isClear { kind.insert(.isVaried) }
    if solid.flags(from: Self.solid).isFull { kind.insert(.isSolid) }
    return kind
  }
}

/// A row of codes and those above and below it.
private struct RowTriple {
  let above, here, below: SampleRow<UInt8>

  init(_ plane: RowStore<UInt8>, _ above: Int, _ here: Int, _ below: Int) {
    (self.above, self.here, self.below) = (plane[above], plane[here], plane[below])
  }

  /// The least of each of sixteen columns.
  @inline(always)
  func least(_ x: Int) -> SIMD16<UInt8> {
    above.sixteen(x).lesser(here.sixteen(x)).lesser(below.sixteen(x))
  }

  /// The greatest of each of sixteen columns less a number, which may wrap around.
  @inline(always)
  func greatest(_ x: Int, above number: UInt8) -> SIMD16<UInt8> {
    let number = SIMD16(repeating: number)
    return (above.sixteen(x) &- number).greater(here.sixteen(x) &- number).greater(
      below.sixteen(x) &- number)
  }
}
