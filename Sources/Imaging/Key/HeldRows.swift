/// The rows of a picture around those at hand: their colour, first coverage, and what is surely
/// foreground.
///
/// They stand in rings; rows that the next ones need too stay there, so that no pixel is converted
/// twice when tiles follow each other.
struct HeldRows {
  /// Rows around a pixel that decide on it: three lines of the carried colour, and the two rows that
  /// foreground keeps from the screen.
  private static let reach = coreReach + CoreFinder.reach
  /// Rows around a pixel whose foreground decides on it.
  private static let coreReach = 2 * CarriedColor.reach + 2
  /// Rows kept: those keyed at once, and what decides on them.
  private static let kept = 32

  private let judge: ScreenJudge
  private let measuredSiting: ChromaSiting?
  private var luma = LumaRows(width: 0)
  private var chroma = GuidedChroma()
  private var finder = CoreFinder()

  private var size = PixelSize(width: 0, height: 0)
  /// Pairs of rows, which are lines of chroma: all of the picture, and those held.
  private var lineCount = 0
  private var lines = 0..<0
  /// The rows whose core is known.
  private var cored = 0..<0
  /// The colour of the rows; of their coverage and flags see ``HeldRow``.
  private(set) var color = RowStore<UInt32>(ring: 1, width: 0, filledWith: 0)
  private(set) var core = RowStore<UInt8>(ring: 1, width: 0, filledWith: 0)
  private var coverage = RowStore<UInt8>(ring: 1, width: 0, filledWith: 0)
  private var screen = RowStore<UInt8>(ring: 1, width: 0, filledWith: 0)

  /// Rows whose pixels are judged by `judge`, of 4:2:0 pictures with the chroma at a siting that was
  /// measured, or else where each says.
  init(judge: ScreenJudge, siting: ChromaSiting?) {
    self.judge = judge
    measuredSiting = siting
  }

  /// Begins a 4:2:0 picture of which blocks in some columns are looked at.
  mutating func begin(_ picture: YUV420View, columns: Range<Int>) {
    begin(picture.size)
    luma.begin(columns: columns)
    chroma.begin(picture, siting: measuredSiting ?? picture.siting)
  }

  /// Begins a picture of RGBA pixels.
  mutating func begin(_ picture: RGBAView) { begin(picture.size) }

  private mutating func begin(_ size: PixelSize) {
    (lines, cored) = (0..<0, 0..<0)
    guard self.size != size else { return }
    self.size = size
    lineCount = (size.height + 1) / 2
    let width = (size.width + 1) & ~1
    luma = LumaRows(width: width)
    finder.begin(width: width)
    color = RowStore(ring: Self.kept, width: width, filledWith: 0)
    coverage = RowStore(ring: Self.kept, width: width, filledWith: 0)
    screen = RowStore(ring: Self.kept, width: width, filledWith: 0)
    core = RowStore(ring: Self.kept, width: width, filledWith: 0)
  }

  /// A row that is held, with its core known.
  subscript(y: Int) -> HeldRow {
    HeldRow(
      y: y, held: 2 * lines.lowerBound..<2 * lines.upperBound, color: color[y],
      coverage: coverage[y], coverages: coverage, lumas: luma, screen: screen[y], core: core[y])
  }

  /// Returns the lines to convert so that all are held that rows need, and whether they follow on
  /// those held before.
  mutating func hold(_ rows: Range<Int>) -> (lines: Range<Int>, follow: Bool) {
    let first = max(rows.lowerBound - Self.reach, 0) / 2
    let end = min((rows.upperBound + Self.reach + 1) / 2, lineCount)
    let follow = lines.lowerBound <= first && first <= lines.upperBound
    if !follow { cored = 0..<0 }
    let from = follow ? lines.upperBound : first
    let to = max(from, end)
    lines = max(follow ? lines.lowerBound : first, to - Self.kept / 2)..<to
    return (from..<to, follow)
  }

  /// Converts the two rows of a line.
  mutating func convert(
    line: Int, of picture: YUV420View, _ planes: HalfPlanes, _ blocks: BlockMap
  ) {
    let (busy, kinds) = (blocks.busy(row: line), blocks.kinds(row: line))
    if !busy.isEmpty {
      luma.load(lines: max(line - 2, 0)...min(line + 2, lineCount - 1), of: picture)
      chroma.convert(
        line: line, blocks, of: planes, luma, into: (color[2 * line], color[2 * line + 1]))
    }
    let unit = 2 * BlockMap.width
    for y in 2 * line...2 * line + 1 {
      let (coverage, screen) = (coverage[y], screen[y])
      coverage.fill(-unit..<2 * planes.size.width, with: 0)
      screen.fill(-unit..<2 * planes.size.width, with: ScreenJudge.isScreen)
      for block in busy where kinds[block].contains(.isSolid) {
        coverage.set(SIMD16(repeating: 255), at: unit * block)
        screen.set(SIMD16<UInt8>.zero, at: unit * block)
      }
      judge.judge(blocks, row: y, color[y], coverage: coverage, screen: screen)
      clearBeside(y)
    }
  }

  /// Loads the two rows of a line; below an odd height the last row stands once more.
  mutating func load(line: Int, of picture: RGBAView, _ blocks: BlockMap) {
    for y in 2 * line...2 * line + 1 {
      let row = picture.row(min(y, size.height - 1))
      let colors = color[y]
      for x in row.indices {
        colors[x] = unsafe unsafeBitCast(row[x], to: UInt32.self).littleEndian
        luma[y][x] = HalfPlanes.luma(of: row[x])
      }
      if size.width & 1 == 1 { colors[size.width] = colors[size.width - 1] }
      luma.repeatEnds(row: y)
      judge.judge(blocks, row: y, colors, coverage: coverage[y], screen: screen[y])
      clearBeside(y)
    }
  }

  /// Beside the picture is no screen, and the coverage of its end.
  private func clearBeside(_ y: Int) {
    let width = (size.width + 1) & ~1
    let unit = 2 * BlockMap.width
    let coverage = coverage[y]
    coverage.fill(-unit..<0, with: coverage[0])
    coverage.fill(size.width..<width + unit, with: coverage[size.width - 1])
    screen[y].fill(-unit..<0, with: 0)
    screen[y].fill(width..<width + unit, with: 0)
  }

  /// Finds what is surely foreground in all rows that decide on some.
  mutating func findCore(around rows: Range<Int>, _ surfaces: SurfaceMap, _ blocks: BlockMap) {
    let first = max(rows.lowerBound - Self.coreReach, 0) & ~1
    let end = min((rows.upperBound + Self.coreReach + 1) & ~1, 2 * lineCount)
    let from = cored.lowerBound <= first && first <= cored.upperBound ? cored.upperBound : first
    for y in from..<max(from, end) {
      finder.find(
        row: y, of: min(2 * lines.upperBound, 2 * lineCount), coverage: coverage[y],
        screen: screen, surfaces: surfaces, blocks: blocks, into: core[y])
    }
    cored = (from == first ? first : cored.lowerBound)..<max(from, end)
  }
}
