/// Makes the matte and the colours of mode `clean`.
///
/// Colour difference gives each pixel a first coverage. The colour of pixels that are surely
/// foreground is carried into those between them and the screen, which are solved for by
/// ``EdgeSolver``. Patches that ``SurfaceMap`` takes for paint count as foreground.
///
/// Of a picture only the rows around the tile at hand are held. Rows that the next tile needs too are
/// kept, so that no pixel is converted twice when tiles follow each other.
struct CleanKeyer {
  /// Rows around a pixel that decide on it: three lines of the carried colour, and the two rows that
  /// foreground keeps from the screen.
  static let reach = 2 * CarriedColor.reach + CoreFinder.reach + 2

  let settings: KeySettings
  let rule: MatteRule
  private let finder: CoreFinder
  private let solver: EdgeSolver
  private let measuredSiting: ChromaSiting?
  private var chroma = GuidedChroma()
  private(set) var surfaces: SurfaceMap
  private var activity = ScreenActivity()
  private var carried = CarriedColor()
  /// What became of the rows solved since the picture was begun.
  private(set) var tally = MatteTally()
  private var size = PixelSize(width: 1, height: 1)
  private var scratch: [Float] = []
  private var nearScreen: [UInt8] = []

  /// The rows held.
  private var held = 0..<0
  /// Their colours, first coverage and whether they are screen (see ``CoreFinder``), in rows of an even width.
  private var color: [SIMD4<UInt8>] = []
  private var coverage: [UInt8] = []
  private var screen: [UInt8] = []
  /// Whether pixels of ``coreRows`` are surely foreground: 255 or 0.
  private var core: [UInt8] = []
  private var coreRows = 0..<0

  /// The keyer of a plan.
  init(_ plan: KeyPlan, rule: MatteRule) {
    settings = plan.settings
    self.rule = rule
    measuredSiting = plan.siting
    finder = CoreFinder(plan)
    solver = EdgeSolver(plan)
    surfaces = SurfaceMap(plan, rule: rule)
  }

  /// The distance of two rows of what is held.
  private var stride: Int { (size.width + 1) & ~1 }

  /// Begins a 4:2:0 picture.
  mutating func begin(_ picture: YUV420View, screenBox: CodeBox?) {
    start(picture.size)
    activity.find(picture, screen: screenBox)
    chroma.begin(
      picture, siting: measuredSiting ?? picture.siting, columns: activity.columns)
    surfaces.find(in: picture)
    tally.paint = surfaces.paintedPixels
  }

  /// Begins a picture of RGBA pixels.
  mutating func begin(_ picture: RGBAView) {
    start(picture.size)
    surfaces.find(in: picture)
    tally.paint = surfaces.paintedPixels
  }

  private mutating func start(_ size: PixelSize) {
    self.size = size
    tally = MatteTally()
    held = 0..<0
    if scratch.count != stride {
      scratch = [Float](repeating: 0, count: stride)
      nearScreen = [UInt8](repeating: 0, count: stride + 4)
    }
  }

  /// Makes the coverage of rows, in rows of the picture's width one after the other, and their pixels
  /// where they are wanted.
  mutating func solve(
    rows: Range<Int>, of picture: YUV420View, coverage output: inout [UInt8],
    pixels: inout [SIMD4<UInt8>]
  ) {
    for line in hold(rows) { convert(line: line, of: picture) }
    finish(rows, &output, &pixels)
  }

  /// Makes the coverage and the pixels of rows of a picture of RGBA pixels.
  mutating func solve(
    rows: Range<Int>, of picture: RGBAView, coverage output: inout [UInt8],
    pixels: inout [SIMD4<UInt8>]
  ) {
    for line in hold(rows) {
      for y in 2 * line...2 * line + 1 { convert(row: y, of: picture) }
    }
    finish(rows, &output, &pixels)
  }

  // MARK: Holding rows

  /// Makes room for all that rows need, keeps what is there, and returns the pairs of rows to convert.
  private mutating func hold(_ rows: Range<Int>) -> Range<Int> {
    let first = max(rows.lowerBound - Self.reach, 0) & ~1
    let end = min((rows.upperBound + Self.reach + 1) & ~1, (size.height + 1) & ~1)
    let isNext = held.contains(first) && end >= held.upperBound
    let from = isNext ? held.upperBound : first
    let dropped = (isNext ? first - held.lowerBound : held.count) * stride
    color.removeFirst(min(dropped, color.count))
    coverage.removeFirst(min(dropped, coverage.count))
    screen.removeFirst(min(dropped, screen.count))
    if !isNext { (color, coverage, screen) = ([], [], []) }
    held = first..<end
    let count = held.count * stride
    color.append(contentsOf: repeatElement(.zero, count: count - color.count))
    coverage.append(contentsOf: repeatElement(0, count: count - coverage.count))
    screen.append(contentsOf: repeatElement(255, count: count - screen.count))
    return from / 2..<end / 2
  }

  private mutating func convert(line: Int, of picture: YUV420View) {
    let runs = activity.runs(line)
    guard !runs.isEmpty else { return }
    let start = (2 * line - held.lowerBound) * stride
    chroma.convert(line: line, runs: runs, of: picture, into: &color, at: start)
    for run in runs {
      for row in 0..<2 {
        let first = start + row * stride
        judge(first + 2 * run.lowerBound..<first + 2 * run.upperBound)
      }
    }
  }

  private mutating func convert(row y: Int, of picture: RGBAView) {
    let start = (y - held.lowerBound) * stride
    // Below the last row of an odd height it stands once more.
    copyPixels(picture.row(min(y, size.height - 1)), into: &color, at: start)
    judge(start..<start + stride)
  }

  /// Makes the first coverage of held pixels, and whether they are surely screen.
  private mutating func judge(_ range: Range<Int>) {
    rule.apply(to: color, range, scratch: &scratch, into: &coverage)
    finder.findScreen(color, coverage, range, into: &screen)
  }

  // MARK: Solving

  private mutating func finish(
    _ rows: Range<Int>, _ output: inout [UInt8], _ pixels: inout [SIMD4<UInt8>]
  ) {
    findCore(around: rows)
    carried.begin(width: stride / 2, lines: coreRows.lowerBound / 2..<(coreRows.upperBound + 1) / 2)
    for y in rows {
      let start = (y - held.lowerBound) * stride
      let coreStart = (y - coreRows.lowerBound) * stride
      let place = (y - rows.lowerBound) * size.width
      for first in Swift.stride(from: 0, to: size.width, by: 32) {
        let run = first..<min(first + 32, size.width)
        switch kind(run, start, coreStart) {
        case .screen:
          tally.transparent += run.count
          clearPixels(&output, &pixels, place + run.lowerBound..<place + run.upperBound)
        case .core:
          tally.opaque += run.count
          keepPixels(run, start, place, &output, &pixels)
        case .edge: solve(run, row: y, start, coreStart, place, &output, &pixels)
        }
      }
    }
  }

  private mutating func findCore(around rows: Range<Int>) {
    let reach = 2 * CarriedColor.reach + 2
    let first = max(rows.lowerBound - reach, 0) & ~1
    coreRows = first..<min((rows.upperBound + reach + 1) & ~1, held.upperBound)
    core.removeAll(keepingCapacity: true)
    core.append(contentsOf: repeatElement(0, count: coreRows.count * stride))
    for y in coreRows {
      finder.findCore(
        row: y, heldFrom: held.lowerBound, rows: held.count, stride: stride, coverage: coverage,
        screen: screen, surfaces: surfaces, nearScreen: &nearScreen, into: &core,
        at: (y - coreRows.lowerBound) * stride)
    }
  }

  private enum RunKind { case screen, core, edge }

  /// Whether the matte is made wider than it is solved.
  private var grows: Bool { settings.choke < 0 || settings.feather > 0 }

  private func kind(_ run: Range<Int>, _ start: Int, _ coreStart: Int) -> RunKind {
    if isAll(core, coreStart + run.lowerBound..<coreStart + run.upperBound) { return .core }
    // A matte that is made wider needs colours where there was only screen.
    if grows { return .edge }
    if isAll(screen, start + run.lowerBound..<start + run.upperBound) { return .screen }
    return .edge
  }

  private func keepPixels(
    _ run: Range<Int>, _ start: Int, _ place: Int, _ output: inout [UInt8],
    _ pixels: inout [SIMD4<UInt8>]
  ) {
    for x in run {
      output[place + x] = 255
      pixels[place + x] = color[start + x]
    }
  }

  private mutating func solve(
    _ run: Range<Int>, row y: Int, _ start: Int, _ coreStart: Int, _ place: Int,
    _ output: inout [UInt8], _ pixels: inout [SIMD4<UInt8>]
  ) {
    carried.prepare(
      line: y / 2, samples: run.lowerBound / 2..<(run.upperBound + 1) / 2, color: color,
      colorFrom: held.lowerBound, core: core, coreFrom: coreRows.lowerBound)
    for x in run {
      let pixel = color[start + x]
      if core[coreStart + x] != 0 {
        (output[place + x], pixels[place + x]) = (255, pixel)
      } else if screen[start + x] == 255 || (screen[start + x] != 0 && isRough(start, x)) {
        (output[place + x], pixels[place + x]) = (0, solver.outside(carried.samples[x / 2]))
        pixels[place + x].w = pixel.w
      } else {
        let solved = solver.solve(
          pixel, coverage: coverage[start + x], carried: carried.samples[x / 2])
        (output[place + x], pixels[place + x]) = (solved.w, solved)
        pixels[place + x].w = pixel.w
        if solved.w > 0 && solved.w < 255 { tally.residue += Double(solver.residue(pixel, solved)) }
      }
      count(output[place + x])
    }
  }

  /// Whether a pixel like the screen lies beside one that is much less so.
  ///
  /// Then it is the ringing of a codec, or the foot of an edge. Smoke and shadows grow thinner slowly.
  private func isRough(_ start: Int, _ x: Int) -> Bool {
    let limit = Int(coverage[start + x]) + 12
    for distance in [-7, -4, -2, 2, 4, 7] {
      if x + distance >= 0, x + distance < stride, coverage[start + x + distance] > limit {
        return true
      }
      let place = start + distance * stride + x
      if coverage.indices.contains(place), coverage[place] > limit { return true }
    }
    return false
  }

  private mutating func count(_ coverage: UInt8) {
    switch coverage {
    case 0: tally.transparent += 1
    case 255: tally.opaque += 1
    default: tally.partial += 1
    }
  }
}

// MARK: - Kernels

private func clearPixels(
  _ coverage: inout [UInt8], _ pixels: inout [SIMD4<UInt8>], _ range: Range<Int>
) {
  for x in range { coverage[x] = 0 }
  for x in range { pixels[x] = .zero }
}

/// Whether a range of flags is all set.
private func isAll(_ flags: [UInt8], _ range: Range<Int>) -> Bool {
  let flags = flags.span.extracting(range)
  var all: UInt8 = 255
  for x in flags.indices { all &= flags[x] }
  return all == 255
}

/// Copies a row, and repeats its last pixel where the width is odd.
private func copyPixels(
  _ row: Span<SIMD4<UInt8>>, into pixels: inout [SIMD4<UInt8>], at start: Int
) {
  var pixels = pixels.mutableSpan
  for x in row.indices { pixels[start + x] = row[x] }
  if row.count & 1 == 1 { pixels[start + row.count] = row[row.count - 1] }
}
