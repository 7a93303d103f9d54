/// Makes the matte and the colours of mode `clean`.
///
/// Colour difference gives each pixel a first coverage. The colour of pixels that are surely
/// foreground is carried into those between them and the screen, which are solved for by
/// ``EdgeSolver``. Patches that ``SurfaceMap`` takes for paint count as foreground.
///
/// A picture is looked at as a whole at half resolution; at full resolution only the rows around those
/// at hand are there (``HeldRows``).
struct CleanKeyer {
  /// Rows keyed at once, at most: few, so that those held around them stay in the caches.
  private static let mostRows = 8

  private let judge: ScreenJudge
  private var tables: EncodingTables
  private var planes = HalfPlanes()
  private var blocks = BlockMap()
  private var surfaces: SurfaceMap
  private var held: HeldRows
  private var solver: RowSolver

  /// The keyer of a plan that has a screen.
  init(_ plan: KeyPlan, rule: MatteRule) {
    judge = ScreenJudge(plan)
    surfaces = SurfaceMap(plan)
    tables = EncodingTables(rule: rule, near: plan.screens.first?.unclamped ?? .zero)
    held = HeldRows(judge: judge, siting: plan.siting)
    solver = RowSolver(plan)
  }

  /// What became of the rows solved since the picture was begun.
  var tally: MatteTally { solver.tally }

  // MARK: Beginning

  /// Begins a 4:2:0 picture.
  mutating func begin(_ picture: YUV420View) {
    tables.make(for: picture.encoding, judge)
    planes.load(picture)
    blocks.find(in: planes, screen: tables.screen, coverage: tables.coverage)
    for y in 0..<planes.size.height {
      let luma = LumaPair(line: y, of: picture)
      let kinds = blocks.kinds(row: y)
      for block in blocks.busy(row: y) where kinds[block].contains(.isBusy) {
        planes.averageLuma(block * BlockMap.width, row: y, luma)
      }
    }
    held.begin(picture, columns: blocks.columns)
    look(at: picture.size, picture.encoding, hasAlpha: false)
  }

  /// Begins a picture of RGBA pixels.
  mutating func begin(_ picture: RGBAView) {
    tables.make(for: HalfPlanes.encoding, judge)
    planes.load(picture)
    blocks.find(in: planes, screen: nil, coverage: tables.coverage)
    blocks.markAll(of: planes.size)
    held.begin(picture)
    look(at: picture.size, HalfPlanes.encoding, hasAlpha: true)
  }

  private mutating func look(at size: PixelSize, _ encoding: YCbCrEncoding, hasAlpha: Bool) {
    surfaces.find(in: planes, blocks)
    solver.begin(size, encoding, hasAlpha: hasAlpha, paint: surfaces.paintedPixels)
  }

  // MARK: Solving

  /// Makes the pixels of rows, in rows of the picture's width one after the other.
  ///
  /// Where nothing is left they are zero.
  mutating func solve(
    rows: Range<Int>, of picture: YUV420View,
    into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for part in parts(of: rows) {
      for line in hold(part) { held.convert(line: line, of: picture, planes, blocks) }
      finish(part, from: rows.lowerBound, &pixels)
    }
  }

  /// Makes the pixels of rows of a picture of RGBA pixels, whose own alpha is multiplied in.
  mutating func solve(
    rows: Range<Int>, of picture: RGBAView,
    into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for part in parts(of: rows) {
      for line in hold(part) { held.load(line: line, of: picture, blocks) }
      finish(part, from: rows.lowerBound, &pixels)
    }
  }

  private func parts(of rows: Range<Int>) -> [Range<Int>] {
    stride(from: rows.lowerBound, to: rows.upperBound, by: Self.mostRows).map {
      $0..<min($0 + Self.mostRows, rows.upperBound)
    }
  }

  /// Returns the lines to convert so that all are held that rows need.
  private mutating func hold(_ rows: Range<Int>) -> Range<Int> {
    let (lines, follow) = held.hold(rows)
    if !follow { solver.forget() }
    return lines
  }

  private mutating func finish(
    _ rows: Range<Int>, from first: Int,
    _ pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    held.findCore(around: rows, surfaces, blocks)
    for y in rows {
      solver.solve(row: y, of: held, blocks, into: &pixels, from: first)
    }
  }
}
