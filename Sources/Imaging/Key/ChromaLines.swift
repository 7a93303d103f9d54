/// One line of chroma about 128, the luma that it was averaged over, and its slopes over that.
struct ChromaLine {
  let luma, cb, cr, cbSlope, crSlope: SampleRow<Float>
  /// Sums of three samples each of luma, its square, Cb, Cr, and the products of luma with both.
  fileprivate let lumaSum, squareSum, cbSum, crSum, lumaCbSum, lumaCrSum: SampleRow<Float>
}

/// The lines of chroma around the one at hand with their slopes, made where they are needed.
struct ChromaLines {
  /// Luma variance, in squared codes, that is taken for noise: slopes over less fall to zero.
  private static let noise: Float = 30
  /// Lines kept: those around one look at two more on either side.
  private static let kept = 8
  /// Rows of samples of a line.
  private static let rows = 11

  private var siting = ChromaSiting.left
  private var lastLine = 0
  private let blocks: Int
  private let stores: [RowStore<Float>]
  private let lines: [ChromaLine]
  /// Which line's samples, sums and slopes stand at a block of a place of the ring.
  private let sampled, summed, sloped: RowStore<Int32>

  /// Makes room for lines of `width` samples.
  init(width: Int) {
    let width = (width + 2 * BlockMap.width) & ~(BlockMap.width - 1)
    blocks = width / BlockMap.width
    let stores = (0..<Self.rows).map { _ in
      RowStore<Float>(ring: Self.kept, width: width, filledWith: 0)
    }
    self.stores = stores
    lines = (0..<Self.kept).map { y in
      ChromaLine(
        luma: stores[0][y], cb: stores[1][y], cr: stores[2][y], cbSlope: stores[3][y],
        crSlope: stores[4][y], lumaSum: stores[5][y], squareSum: stores[6][y],
        cbSum: stores[7][y], crSum: stores[8][y], lumaCbSum: stores[9][y],
        lumaCrSum: stores[10][y])
    }
    sampled = RowStore(ring: Self.kept, width: blocks, filledWith: -1)
    summed = RowStore(ring: Self.kept, width: blocks, filledWith: -1)
    sloped = RowStore(ring: Self.kept, width: blocks, filledWith: -1)
  }

  /// Begins a picture of lines up to `lastLine`.
  mutating func begin(lastLine: Int, siting: ChromaSiting) {
    self.lastLine = lastLine
    self.siting = siting
    for store in [sampled, summed, sloped] {
      // A block more at either end, which lies in the padding.
      for y in 0..<Self.kept { store[y].fill(-1..<blocks + 1, with: -1) }
    }
  }

  /// Line `y`, whose blocks must be prepared.
  subscript(y: Int) -> ChromaLine {
    @inline(always) get { lines[y & (Self.kept - 1)] }
  }

  /// Makes blocks of a line right, and what surrounds them.
  func prepare(
    _ run: Range<Int>, around y: Int, of planes: HalfPlanes, _ rows: LumaRows
  ) {
    for line in max(y - 1, 0)...min(y + 1, lastLine) {
      findSlopes(run.lowerBound - 1..<run.upperBound + 1, line: line, of: planes, rows)
    }
  }

  private func findSlopes(
    _ run: Range<Int>, line y: Int, of planes: HalfPlanes, _ rows: LumaRows
  ) {
    let (sloped, number) = (sloped[y], Int32(truncatingIfNeeded: y))
    guard run.contains(where: { sloped[$0] != number }) else { return }
    let (above, below) = (max(y - 1, 0), min(y + 1, lastLine))
    for line in above...below { load(run, line: line, of: planes, rows) }
    let (a, b, c) = (self[above], self[y], self[below])
    for block in run where sloped[block] != number {
      sloped[block] = number
      let x = block * BlockMap.width
      @inline(always)
      func mean(_ a: SampleRow<Float>, _ b: SampleRow<Float>, _ c: SampleRow<Float>) -> SIMD8<
        Float
      > { (a.eight(x) + b.eight(x) + c.eight(x)) * (1 / 9) }
      let luma = mean(a.lumaSum, b.lumaSum, c.lumaSum)
      let square = mean(a.squareSum, b.squareSum, c.squareSum)
      let scale = 1 / ((square - luma * luma).positivePart + Self.noise)
      let (cb, cr) = (mean(a.cbSum, b.cbSum, c.cbSum), mean(a.crSum, b.crSum, c.crSum))
      let lumaCb = mean(a.lumaCbSum, b.lumaCbSum, c.lumaCbSum)
      let lumaCr = mean(a.lumaCrSum, b.lumaCrSum, c.lumaCrSum)
      b.cbSlope.set((lumaCb - luma * cb) * scale, at: x)
      b.crSlope.set((lumaCr - luma * cr) * scale, at: x)
    }
  }

  /// Loads blocks' samples, and sums each of them and its neighbours left and right.
  private func load(
    _ run: Range<Int>, line y: Int, of planes: HalfPlanes, _ rows: LumaRows
  ) {
    let (sampled, summed, number) = (sampled[y], summed[y], Int32(truncatingIfNeeded: y))
    guard run.contains(where: { summed[$0] != number }) else { return }
    let line = self[y]
    let (top, bottom) = (rows[2 * y], rows[2 * y + 1])
    let (cbRow, crRow) = (planes.cb[y], planes.cr[y])
    // And a block on either side, for the neighbours; not two of them beside the picture, of which only
    // what touches it counts.
    let count = (planes.size.width + BlockMap.width - 1) / BlockMap.width
    let loaded = (run.lowerBound - 1..<run.upperBound + 1).clamped(to: -1..<count + 1)
    for block in loaded where sampled[block] != number {
      sampled[block] = number
      let x = block * BlockMap.width
      line.luma.set(averagedLuma(top, bottom, x, siting), at: x)
      line.cb.set((cbRow.eight(x).words &- 128).floats, at: x)
      line.cr.set((crRow.eight(x).words &- 128).floats, at: x)
    }
    for block in run where summed[block] != number {
      summed[block] = number
      let x = block * BlockMap.width
      let luma = Neighbours(line.luma, x)
      let (cb, cr) = (Neighbours(line.cb, x), Neighbours(line.cr, x))
      line.lumaSum.set(luma.sum, at: x)
      line.squareSum.set(luma.product(luma), at: x)
      line.cbSum.set(cb.sum, at: x)
      line.crSum.set(cr.sum, at: x)
      line.lumaCbSum.set(luma.product(cb), at: x)
      line.lumaCrSum.set(luma.product(cr), at: x)
    }
  }
}

/// Eight samples, and those beside each.
private struct Neighbours {
  let left, here, right: SIMD8<Float>

  @inline(always)
  init(_ row: SampleRow<Float>, _ x: Int) {
    (left, here, right) = row.eights(x, apart: 1)
  }

  var sum: SIMD8<Float> {
    @inline(always) get { left + here + right }
  }

  /// The sum of the products with others.
  @inline(always)
  func product(_ other: Self) -> SIMD8<Float> {
    left * other.left + here * other.here + right * other.right
  }
}

/// The luma that each of eight chroma samples was averaged over, about 128: that of 2 × 2 pixels, or
/// about the left ones of those 1 : 2 : 1 across.
@inline(always)
func averagedLuma(
  _ top: SampleRow<UInt8>, _ bottom: SampleRow<UInt8>, _ x: Int, _ siting: ChromaSiting
) -> SIMD8<Float> {
  let (upper, lower) = (top.sixteen(2 * x), bottom.sixteen(2 * x))
  let right = upper.oddWords &+ lower.oddWords
  let middle = upper.evenWords &+ lower.evenWords
  switch siting {
  case .center: return (middle &+ right &- 512).floats * 0.25
  case .left:
    let left = top.sixteen(2 * x - 1).evenWords &+ bottom.sixteen(2 * x - 1).evenWords
    return (left &+ 2 &* middle &+ right &- 1024).floats * 0.125
  }
}
