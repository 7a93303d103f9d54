/// Makes the matte and the colours of mode `clean`.
///
/// Colour difference gives each pixel a first coverage. The colour of pixels that are surely
/// foreground is carried into those between them and the screen, which are solved for by
/// ``EdgeSolver``. Patches that ``SurfaceMap`` takes for paint count as foreground.
///
/// Of a picture only the rows around those at hand are held, in rings; rows that the next ones need too
/// stay there, so that no pixel is converted twice when tiles follow each other.
struct CleanKeyer {
  /// Rows around a pixel that decide on it: three lines of the carried colour, and the two rows that
  /// foreground keeps from the screen.
  static let reach = 2 * CarriedColor.reach + CoreFinder.reach + 2
  /// Rows keyed at once, at most, and rows held: those and what decides on them.
  private static let (mostRows, heldRows) = (32, 64)

  private let judge: ScreenJudge
  private let solver: EdgeSolver
  private let measuredSiting: ChromaSiting?
  private var tables: EncodingTables
  private var planes = HalfPlanes()
  private var blocks = BlockMap()
  private var surfaces: SurfaceMap
  private var luma = LumaRows(width: 0)
  private var chroma = GuidedChroma()
  private var finder = CoreFinder()
  private var carried = CarriedColor()
  private var counter = MatteCounter()

  private var size = PixelSize(width: 0, height: 0)
  /// Whether pixels bring an alpha of their own.
  private var hasAlpha = false
  /// The pairs of rows held, and the rows whose core is known.
  private var held = 0..<0
  private var cored = 0..<0
  /// The held rows: their colour, first coverage, flags of ``ScreenJudge``, and 255 where they are surely
  /// foreground.
  private var color = RowStore<UInt32>(ring: 1, width: 0, filledWith: 0)
  private var coverage = RowStore<UInt8>(ring: 1, width: 0, filledWith: 0)
  private var screen = RowStore<UInt8>(ring: 1, width: 0, filledWith: 0)
  private var core = RowStore<UInt8>(ring: 1, width: 0, filledWith: 0)
  /// The row at hand as it is solved.
  private var solved = RowStore<UInt32>(ring: 1, width: 0, filledWith: 0)

  /// The keyer of a plan that has a screen.
  init(_ plan: KeyPlan, rule: MatteRule) {
    measuredSiting = plan.siting
    judge = ScreenJudge(plan)
    solver = EdgeSolver(plan)
    surfaces = SurfaceMap(plan)
    tables = EncodingTables(rule: rule, near: plan.screens.first?.unclamped ?? .zero)
  }

  /// What became of the rows solved since the picture was begun.
  var tally: MatteTally { counter.tally }

  // MARK: Beginning

  /// Begins a 4:2:0 picture.
  mutating func begin(_ picture: YUV420View) {
    start(picture.size, hasAlpha: false)
    tables.make(for: picture.encoding, judge)
    planes.load(picture)
    blocks.find(in: planes, screen: tables.screen, coverage: tables.coverage)
    luma.begin()
    for y in 0..<planes.size.height {
      luma.load(lines: y...y, of: picture)
      let (top, bottom) = (luma[2 * y], luma[2 * y + 1])
      for block in blocks.busy(row: y) where blocks[block, row: y].contains(.isBusy) {
        planes.averageLuma(block * BlockMap.width, row: y, top: top, bottom: bottom)
      }
    }
    luma.begin()
    chroma.begin(picture, siting: measuredSiting ?? picture.siting)
    look()
  }

  /// Begins a picture of RGBA pixels.
  mutating func begin(_ picture: RGBAView) {
    start(picture.size, hasAlpha: true)
    tables.make(for: HalfPlanes.encoding, judge)
    planes.load(picture)
    blocks.find(in: planes, screen: nil, coverage: tables.coverage)
    blocks.markAll(of: planes.size)
    look()
  }

  private mutating func look() {
    surfaces.find(in: planes, blocks)
    counter.paint = surfaces.paintedPixels
  }

  private mutating func start(_ size: PixelSize, hasAlpha: Bool) {
    counter = MatteCounter()
    self.hasAlpha = hasAlpha
    (held, cored) = (0..<0, 0..<0)
    let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    carried.begin(half)
    guard self.size != size else { return }
    self.size = size
    let width = 2 * half.width
    luma = LumaRows(width: width)
    finder.begin(width: width)
    color = RowStore(ring: Self.heldRows, width: width, filledWith: 0)
    coverage = RowStore(ring: Self.heldRows, width: width, filledWith: 0)
    screen = RowStore(ring: Self.heldRows, width: width, filledWith: 0)
    core = RowStore(ring: Self.heldRows, width: width, filledWith: 0)
    solved = RowStore(ring: 1, width: width, filledWith: 0)
  }

  // MARK: Solving

  /// Makes the pixels of rows, in rows of the picture's width one after the other.
  ///
  /// Where nothing is left they are zero, or have the colour of the foreground nearby where
  /// `keepsColor`.
  mutating func solve(
    rows: Range<Int>, of picture: YUV420View, keepsColor: Bool,
    into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for part in parts(of: rows) {
      for line in hold(part) { convert(line: line, of: picture) }
      finish(part, from: rows.lowerBound, keepsColor, &pixels)
    }
  }

  /// Makes the pixels of rows of a picture of RGBA pixels, whose own alpha is multiplied in.
  mutating func solve(
    rows: Range<Int>, of picture: RGBAView, keepsColor: Bool,
    into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for part in parts(of: rows) {
      for line in hold(part) {
        for y in 2 * line...2 * line + 1 { load(row: y, of: picture) }
      }
      finish(part, from: rows.lowerBound, keepsColor, &pixels)
    }
  }

  private func parts(of rows: Range<Int>) -> [Range<Int>] {
    stride(from: rows.lowerBound, to: rows.upperBound, by: Self.mostRows).map {
      $0..<min($0 + Self.mostRows, rows.upperBound)
    }
  }

  /// Returns the pairs of rows to convert so that all are held that rows need.
  private mutating func hold(_ rows: Range<Int>) -> Range<Int> {
    let first = max(rows.lowerBound - Self.reach, 0) / 2
    let end = min((rows.upperBound + Self.reach + 1) / 2, planes.size.height)
    let isNext = held.lowerBound <= first && first <= held.upperBound
    if !isNext {
      cored = 0..<0
      carried.begin(planes.size)
    }
    let from = isNext ? held.upperBound : first
    let to = max(from, end)
    held = max(isNext ? held.lowerBound : first, to - Self.heldRows / 2)..<to
    return from..<to
  }

  private mutating func convert(line: Int, of picture: YUV420View) {
    let last = planes.size.height - 1
    luma.load(lines: max(line - 2, 0)...min(line + 2, last), of: picture)
    let rows = (top: color[2 * line], bottom: color[2 * line + 1])
    chroma.convert(line: line, blocks, of: planes, luma, into: rows)
    let busy = blocks.busy(row: line)
    let unit = 2 * BlockMap.width
    for (y, color) in [(2 * line, rows.top), (2 * line + 1, rows.bottom)] {
      let (coverage, screen) = (coverage[y], screen[y])
      coverage.fill(-unit..<2 * planes.size.width, with: 0)
      screen.fill(-unit..<2 * planes.size.width, with: ScreenJudge.isScreen)
      for block in busy where blocks[block, row: line].contains(.isSolid) {
        coverage.set(SIMD16(repeating: 255), at: unit * block)
        screen.set(SIMD16<UInt8>.zero, at: unit * block)
      }
      judge.judge(blocks, row: y, color, coverage: coverage, screen: screen)
      clearBeside(y)
    }
  }

  /// Beside the picture is neither foreground nor screen.
  private func clearBeside(_ y: Int) {
    let width = 2 * planes.size.width
    let unit = 2 * BlockMap.width
    for row in [coverage[y], screen[y]] {
      row.fill(-unit..<0, with: 0)
      row.fill(width..<width + unit, with: 0)
    }
  }

  private mutating func load(row y: Int, of picture: RGBAView) {
    let row = picture.row(min(y, size.height - 1))
    let (colors, coverages, flags) = (color[y], coverage[y], screen[y])
    for x in row.indices {
      colors[x] = unsafe unsafeBitCast(row[x], to: UInt32.self).littleEndian
    }
    if size.width & 1 == 1 { colors[size.width] = colors[size.width - 1] }
    judge.judge(blocks, row: y, colors, coverage: coverages, screen: flags)
    clearBeside(y)
  }

  private mutating func finish(
    _ rows: Range<Int>, from first: Int, _ keepsColor: Bool,
    _ pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    findCore(around: rows)
    for y in rows {
      finish(row: y, keepsColor)
      counter.endRow()
      let place = (y - first) * size.width
      copy(solved[0], to: &pixels, place..<place + size.width)
    }
  }

  private mutating func findCore(around rows: Range<Int>) {
    let reach = 2 * CarriedColor.reach + 2
    let first = max(rows.lowerBound - reach, 0) & ~1
    let end = min((rows.upperBound + reach + 1) & ~1, 2 * planes.size.height)
    let from = cored.lowerBound <= first && first <= cored.upperBound ? cored.upperBound : first
    for y in from..<max(from, end) {
      finder.find(
        row: y, of: min(2 * held.upperBound, 2 * planes.size.height), coverage: coverage[y],
        screen: screen, surfaces: surfaces, blocks: blocks, into: core[y])
    }
    cored = (from == first ? first : cored.lowerBound)..<max(from, end)
  }

  private mutating func finish(row y: Int, _ keepsColor: Bool) {
    let row = HeldRow(
      y: y, held: 2 * held.lowerBound..<2 * held.upperBound, color: color[y],
      coverage: coverage[y], coverages: coverage, screen: screen[y], core: core[y],
      solved: solved[0])
    let busy = keepsColor ? 0..<blocks.count : blocks.busy(row: y / 2)
    let unit = 2 * BlockMap.width
    let (first, end) = (busy.lowerBound * unit, min(busy.upperBound * unit, size.width))
    row.solved.fill(0..<first, with: 0)
    row.solved.fill(end..<size.width, with: 0)
    counter.transparent &+= size.width - (end - first)
    for block in busy {
      let x = unit * block
      let count = min(unit, size.width - x)
      let core = row.core.sixteen(x)
      let screen = keepsColor ? .zero : row.screenFlags(x)
      if core.isFull {
        row.solved.set(row.color.sixteen(x), at: x)
        counter.opaque &+= count
      } else if screen.isFull {
        row.solved.set(SIMD16<UInt32>(repeating: 0), at: x)
        counter.transparent &+= count
      } else {
        finish(x, row, core.lowHalf, screen.lowHalf, keepsColor)
        if count > 8 { finish(x + 8, row, core.highHalf, screen.highHalf, keepsColor) }
      }
    }
  }

  /// Finishes eight pixels that are neither all foreground nor all screen.
  @inline(__always)
  private mutating func finish(
    _ x: Int, _ row: HeldRow, _ core: SIMD8<UInt8>, _ screen: SIMD8<UInt8>, _ keepsColor: Bool
  ) {
    let words = row.color.eight(x)
    let coreWords = core.wordFlags
    var pixels = SIMD8<UInt32>.zero
    var residue = SIMD8<Float>.zero
    if !(~(core | screen)).isClear {
      carried.prepare(x / (2 * BlockMap.width), line: row.y / 2, color: color, core: self.core)
      let lanes = carried.pixels(x)
      let solution = solver.solve(
        words, coverage: row.coverage.eight(x), carried: lanes, keepsColor: keepsColor)
      (pixels, residue) = (solution.pixels, solution.residue)
      if keepsColor {
        let flags = row.screenFlags(x & ~15)
        let isScreen = x & 8 == 0 ? flags.lowHalf : flags.highHalf
        pixels.set(solver.outside(lanes), where: isScreen.wordFlags)
      } else {
        pixels &= ~screen.wordFlags
      }
    }
    pixels.set(words | 0xff00_0000, where: coreWords)
    counter.add(pixels, residue, size.width - x)
    if hasAlpha { pixels = multiplied(pixels, byAlphaOf: words) }
    row.solved.set(pixels, at: x)
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

/// Writes a row of words as pixels.
private func copy(
  _ row: SampleRow<UInt32>, to pixels: inout MutableSpan<SIMD4<UInt8>>, _ range: Range<Int>
) {
  precondition(range.lowerBound >= 0 && range.upperBound <= pixels.count, "rows must agree")
  unsafe row.withBytes(of: 0..<range.count) { source in
    unsafe pixels.withUnsafeMutableBytes { target in
      unsafe target.baseAddress?.advanced(by: 4 * range.lowerBound).copyMemory(
        from: source, byteCount: 4 * range.count)
    }
  }
}
