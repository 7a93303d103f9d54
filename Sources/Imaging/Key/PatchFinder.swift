/// Finds the connected patches whose colour has a share of the screen's.
struct PatchFinder {
  /// What makes samples a patch.
  enum Kind {
    /// They are of one colour.
    case flat
    /// The screen has less than half of them and of all around them, whatever their texture.
    case body
  }

  /// Coverage of a body at least; below it, around one, is the slope of a cloud.
  private static let body: UInt8 = 150
  private let kind: Kind
  /// Coverage that is looked at: less is glass whatever it looks like, more is solid anyway.
  private static let wanted: ClosedRange<UInt8> = 60...250
  /// How much codes may differ within 3 × 3 samples of a patch.
  private static let flat: (chroma: UInt8, luma: UInt8) = (4, 5)
  /// How far outside a border the surroundings are looked at: up to here, in a small picture nearer, where
  /// all is small and a cloud soon over.
  private static let outside = 4...6
  /// The share of the shorter side that this is.
  private static let outsideShare = 40
  /// How alike the surroundings must be for a gentle border.
  private static let (alikeCoverage, alikeLuma) = (31, 12)

  /// Coverage on the slope of a cloud, and how much less than the patch's it is at most.
  private static let (slope, slopeStep): (ClosedRange<UInt8>, Int) = (20...250, 80)

  /// A stretch of a row whose samples belong to one patch.
  private struct Run {
    let y: Int
    let samples: Range<Int>
    /// A run of the same patch that came before it or is itself; in the end, the patch's number.
    var patch: Int
  }

  private var runs: [Run] = []
  /// The number of the patch of each sample of the rows around the one at hand, −1 for none.
  private var owner = RowStore<Int32>(ring: 1, width: 0, filledWith: -1)
  /// Where the rows of the ring of owners are not −1.
  private var written = [Range<Int>](repeating: 0..<0, count: kept)
  /// Rows of owners kept: a power of two that holds those up to ``outside`` above and below one.
  private static let kept = 16
  private var size = PixelSize(width: 1, height: 1)
  private var outside = Self.outside.lowerBound

  /// Finds patches of a kind.
  init(_ kind: Kind) { self.kind = kind }

  /// Finds the patches in the busy blocks of a picture whose coverage is found.
  mutating func find(in planes: HalfPlanes, _ blocks: BlockMap) -> [Patch] {
    forget(planes.size)
    guard size.width >= 3, size.height >= 3 else { return [] }
    var before = 0
    for y in 1..<size.height - 1 {
      let start = runs.count
      // Solid blocks have no coverage that is looked at.
      let kinds = blocks.kinds(row: y)
      for block in blocks.busy(row: y) where kinds[block].isOpen {
        addRuns(block * BlockMap.width, y, planes)
      }
      if runs.count > start { join(start, with: before..<start, row: y) }
      before = start
    }
    return runs.isEmpty ? [] : gather(planes)
  }

  /// Marks the samples of chosen patches, and returns how many were not before.
  func mark(_ isChosen: [Bool], in paint: inout PaintMap) -> Int {
    runs.reduce(0) { $0 + (isChosen[$1.patch] ? paint.mark($1.samples, row: $1.y) : 0) }
  }

  /// Forgets the patches of the picture before.
  private mutating func forget(_ size: PixelSize) {
    runs.removeAll(keepingCapacity: true)
    guard self.size != size else { return }
    self.size = size
    outside = min(size.width, size.height) / Self.outsideShare
    outside = min(max(outside, Self.outside.lowerBound), Self.outside.upperBound)
    owner = RowStore(ring: Self.kept, width: size.width, filledWith: -1)
    for index in written.indices { written[index] = 0..<0 }
  }

  /// Adds the runs of a block, or makes the last one longer.
  private mutating func addRuns(_ x: Int, _ y: Int, _ planes: HalfPlanes) {
    let coverage = planes.coverage[y].eight(x)
    let low = SIMD8<UInt8>(repeating: Self.wanted.lowerBound)
    let high = SIMD8<UInt8>(repeating: Self.wanted.upperBound)
    var isWanted = coverage.greater(low).lesser(high).flags(equal: coverage)
    guard !isWanted.isClear else { return }
    isWanted &= kind == .flat ? isFlat(x, y, planes) : isBody(x, y, planes)
    guard !isWanted.isClear else { return }
    // A byte of ones for each sample that is wanted, the first one lowest.
    var bits = unsafe unsafeBitCast(isWanted, to: UInt64.self).littleEndian
    while bits != 0 {
      let first = bits.trailingZeroBitCount
      let end = first + (~(bits &>> UInt64(first))).trailingZeroBitCount
      bits = end < 64 ? bits & (.max &<< UInt64(end)) : 0
      // A sample of a patch is never on the picture's own border.
      let samples = (x + first / 8..<x + end / 8).clamped(to: 1..<size.width - 1)
      if !samples.isEmpty { addRun(samples, y) }
    }
  }

  private mutating func addRun(_ samples: Range<Int>, _ y: Int) {
    if let last = runs.last, last.y == y, last.samples.upperBound == samples.lowerBound {
      let longer = last.samples.lowerBound..<samples.upperBound
      runs[runs.count - 1] = Run(y: y, samples: longer, patch: last.patch)
    } else {
      runs.append(Run(y: y, samples: samples, patch: runs.count))
    }
  }

  @inline(always)
  private func isFlat(_ x: Int, _ y: Int, _ planes: HalfPlanes) -> SIMD8<UInt8> {
    let (chroma, luma) = (
      SIMD8<UInt8>(repeating: Self.flat.chroma), SIMD8<UInt8>(repeating: Self.flat.luma)
    )
    @inline(always)
    func flags(_ plane: RowStore<UInt8>, upTo most: SIMD8<UInt8>) -> SIMD8<UInt8> {
      spread(plane, x, y).greater(most).flags(equal: most)
    }
    var isFlat = flags(planes.cb, upTo: chroma)
    if !isFlat.isClear { isFlat &= flags(planes.cr, upTo: chroma) }
    if !isFlat.isClear { isFlat &= flags(planes.luma, upTo: luma) }
    return isFlat
  }

  @inline(always)
  private func isBody(_ x: Int, _ y: Int, _ planes: HalfPlanes) -> SIMD8<UInt8> {
    let least = around(planes.coverage, x, y).least
    return least.greater(SIMD8(repeating: Self.body)).flags(equal: least)
  }

  @inline(always)
  private func spread(_ plane: RowStore<UInt8>, _ x: Int, _ y: Int) -> SIMD8<UInt8> {
    let (least, greatest) = around(plane, x, y)
    return greatest &- least
  }

  /// The least and the greatest of 3 × 3 samples.
  @inline(always)
  private func around(
    _ plane: RowStore<UInt8>, _ x: Int, _ y: Int
  ) -> (least: SIMD8<UInt8>, greatest: SIMD8<UInt8>) {
    let (above, here, below) = (plane[y - 1], plane[y], plane[y + 1])
    @inline(always)
    func row(_ row: SampleRow<UInt8>) -> (least: SIMD8<UInt8>, greatest: SIMD8<UInt8>) {
      let (a, b, c) = row.eights(x, apart: 1)
      return (a.lesser(b).lesser(c), a.greater(b).greater(c))
    }
    let (first, second, third) = (row(above), row(here), row(below))
    return (
      first.least.lesser(second.least).lesser(third.least),
      first.greatest.greater(second.greatest).greater(third.greatest)
    )
  }

  /// Makes runs from `first` on one patch with those of the row above that touch them.
  private mutating func join(_ first: Int, with before: Range<Int>, row y: Int) {
    var above = before.lowerBound
    guard !before.isEmpty, runs[above].y == y - 1 else { return }
    for index in first..<runs.count {
      let samples = runs[index].samples
      while above < before.upperBound, runs[above].samples.upperBound < samples.lowerBound {
        above += 1
      }
      var other = above
      while other < before.upperBound, runs[other].samples.lowerBound <= samples.upperBound {
        let (a, b) = (root(other), root(index))
        if a != b { runs[max(a, b)].patch = min(a, b) }
        other += 1
      }
    }
  }

  private mutating func root(_ index: Int) -> Int {
    var index = index
    while runs[index].patch != index {
      runs[index].patch = runs[runs[index].patch].patch
      index = runs[index].patch
    }
    return index
  }

  /// Numbers the patches and measures them.
  private mutating func gather(_ planes: HalfPlanes) -> [Patch] {
    var sums: [PatchSums] = []
    // A root is the first of its patch, so its number is known before the others ask for it.
    for index in runs.indices {
      let parent = runs[index].patch
      if parent == index { sums.append(PatchSums()) }
      runs[index].patch = parent == index ? sums.count - 1 : runs[parent].patch
      let run = runs[index]
      sums[run.patch].add(coverage: planes.coverage[run.y], run.samples)
    }
    // The next row and the next run whose samples' owner is to be written.
    var (next, owned) = (0, 0)
    for run in runs {
      next = max(next, run.y - outside)
      while next <= min(run.y + outside, size.height - 1) {
        let row = owner[next]
        row.fill(written[next & (Self.kept - 1)], with: -1)
        let start = owned
        while owned < runs.count, runs[owned].y == next {
          row.fill(runs[owned].samples, with: Int32(runs[owned].patch))
          owned += 1
        }
        written[next & (Self.kept - 1)] =
          start < owned
          ? runs[start].samples.lowerBound..<runs[owned - 1].samples.upperBound : 0..<0
        next += 1
      }
      measureBorder(run, planes, dy: -1, run.samples, dx: 0, &sums[run.patch])
      measureBorder(run, planes, dy: 1, run.samples, dx: 0, &sums[run.patch])
      let (first, last) = (run.samples.lowerBound, run.samples.upperBound - 1)
      measureBorder(run, planes, dy: 0, first..<first + 1, dx: -1, &sums[run.patch])
      measureBorder(run, planes, dy: 0, last..<last + 1, dx: 1, &sums[run.patch])
    }
    return sums.map(\.patch)
  }

  /// Looks at what lies beyond a run in one direction.
  private func measureBorder(
    _ run: Run, _ planes: HalfPlanes, dy: Int, _ samples: Range<Int>, dx: Int,
    _ sums: inout PatchSums
  ) {
    let (patch, farY) = (Int32(run.patch), run.y + dy * outside)
    guard farY >= 0, farY < size.height else { return }
    let (next, farOwner) = (owner[run.y + dy], owner[farY])
    let (coverage, farCoverage) = (planes.coverage[run.y], planes.coverage[farY])
    for x in samples {
      let farX = x + dx * outside
      // A sample of a patch is never on the picture's own border.
      guard next[x + dx] != patch, farX >= 0, farX < size.width, farOwner[farX] != patch
      else { continue }
      sums.border += 1
      let there = farCoverage[farX]
      let step = abs(Int(there) - Int(coverage[x]))
      let isAlike =
        step < Self.alikeCoverage
        && abs(Int(planes.luma[farY][farX]) - Int(planes.luma[run.y][x])) < Self.alikeLuma
      // Neither screen nor solid nor flat itself, and not far off: the slope of a cloud.
      let isSlope = farOwner[farX] < 0 && Self.slope.contains(there) && step < Self.slopeStep
      let isGentle =
        kind == .flat ? isAlike || isSlope : Self.slope.contains(there) && there < Self.body
      if isGentle { sums.gentle += 1 }
    }
  }
}
