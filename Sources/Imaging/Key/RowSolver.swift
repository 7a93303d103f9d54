/// Makes the pixels of one row after the other of those held, and counts what becomes of them.
struct RowSolver {
  private var solver: EdgeSolver
  private var carried = CarriedColor()
  private var counter = MatteCounter()
  private var size = PixelSize(width: 0, height: 0)
  /// Whether pixels bring an alpha of their own.
  private var hasAlpha = false
  /// The row at hand: its blocks reach beyond the picture's width.
  private var solved = RowStore<UInt32>(ring: 1, width: 0, filledWith: 0)

  /// The solver of a plan.
  init(_ plan: KeyPlan) { solver = EdgeSolver(plan) }

  /// What became of the rows solved since the picture was begun.
  var tally: MatteTally { counter.tally }

  /// Begins a picture in which so many pixels are paint.
  mutating func begin(
    _ size: PixelSize, _ encoding: YCbCrEncoding, hasAlpha: Bool, paint: Int
  ) {
    solver.begin(encoding)
    counter = MatteCounter()
    counter.paint = paint
    self.hasAlpha = hasAlpha
    carried.begin(PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2))
    guard self.size != size else { return }
    self.size = size
    solved = RowStore(ring: 1, width: size.width, filledWith: 0)
  }

  /// Forgets the rows seen before: those that come do not follow on them.
  mutating func forget() { carried.forget() }

  /// Makes the pixels of row `y` in rows of which the first is `first`.
  mutating func solve(
    row y: Int, of held: HeldRows, _ blocks: BlockMap,
    into pixels: inout MutableSpan<SIMD4<UInt8>>, from first: Int
  ) {
    let row = held[y]
    let around = Surround.Rows(row)
    let solved = solved[0]
    let unit = 2 * BlockMap.width
    let busy = blocks.busy(row: y / 2)
    for block in busy {
      let x = unit * block
      let count = min(unit, size.width - x)
      let core = row.core.sixteen(x)
      if core.isFull {
        solved.set(row.color.sixteen(x), at: x)
        counter.opaque &+= count
        continue
      }
      let screen = row.screenFlags(x)
      if screen.isFull {
        solved.set(SIMD16<UInt32>(repeating: 0), at: x)
        counter.transparent &+= count
      } else {
        solve(block, row, around, core, screen, held)
      }
    }
    counter.endRow()
    let range = busy.lowerBound * unit..<min(busy.upperBound * unit, size.width)
    counter.transparent &+= size.width - range.count
    copy(solved, range, to: &pixels, (y - first) * size.width, width: size.width)
  }

  /// Solves a block of a row that is neither all foreground nor all screen.
  private mutating func solve(
    _ block: Int, _ row: HeldRow, _ around: Surround.Rows, _ core: SIMD16<UInt8>,
    _ screen: SIMD16<UInt8>, _ held: HeldRows
  ) {
    var surround: Surround?
    if !(~(core | screen)).isClear {
      carried.prepare(block, line: row.y / 2, color: held.color, core: held.core)
      if let luma = solver.screenLuma {
        let found = Surround(2 * BlockMap.width * block, around, screen: luma)
        if !found.isGentle { surround = found }
      }
    }
    let solved = solved[0]
    for half in 0..<2 {
      let x = 2 * BlockMap.width * block + 8 * half
      guard x < size.width else { return }
      let (core, screen) =
        half == 0 ? (core.lowHalf, screen.lowHalf) : (core.highHalf, screen.highHalf)
      let words = row.color.eight(x)
      var (pixels, residue) = (SIMD8<UInt32>.zero, SIMD8<Float>.zero)
      if !(~(core | screen)).isClear {
        let (coverage, edge) = (row.coverage.eight(x), surround?.lanes(half: half))
        let solution =
          carried.isClear(block)
          ? solver.solve(words, coverage: coverage, edge: edge)
          : solver.solve(
            words, coverage: coverage, carried: carried.pixels(block, half: half), edge: edge)
        (pixels, residue) = (solution.pixels & ~screen.wordFlags, solution.residue)
      }
      pixels.set(words | 0xff00_0000, where: core.wordFlags)
      counter.add(pixels, residue, size.width - x)
      if hasAlpha { pixels = multiplied(pixels, byAlphaOf: words) }
      solved.set(pixels, at: x)
    }
  }
}

/// Multiplies the alpha of pixels by that of others, zero in all channels where it becomes zero.
private func multiplied(
  _ pixels: SIMD8<UInt32>, byAlphaOf others: SIMD8<UInt32>
) -> SIMD8<UInt32> {
  // Rounded division of a product of bytes by 255.
  let product = (pixels &>> 24) &* (others &>> 24) &+ 128
  let alpha = (product &+ product &>> 8) &>> 8
  return (pixels & 0xff_ffff | alpha &<< 24) & ~alpha.flags(equal: .zero)
}

/// Writes a range of a row of words as pixels of a row that begins at `start`, and clears the rest of that.
private func copy(
  _ row: SampleRow<UInt32>, _ range: Range<Int>, to pixels: inout MutableSpan<SIMD4<UInt8>>,
  _ start: Int, width: Int
) {
  precondition(start >= 0 && start + width <= pixels.count, "rows must agree")
  precondition(range.lowerBound >= 0 && range.upperBound <= width, "range out of range")
  // In bounds by the checks above.
  unsafe row.withBytes(of: range) { source in
    unsafe pixels.withUnsafeMutableBytes { bytes in
      guard let target = unsafe bytes.baseAddress?.advanced(by: 4 * start) else { return }
      unsafe target.initializeMemory(as: UInt8.self, repeating: 0, count: 4 * range.lowerBound)
      unsafe (target + 4 * range.lowerBound).copyMemory(
        from: source, byteCount: 4 * range.count)
      unsafe (target + 4 * range.upperBound).initializeMemory(
        as: UInt8.self, repeating: 0, count: 4 * (width - range.upperBound))
    }
  }
}
