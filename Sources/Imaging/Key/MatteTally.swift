/// What became of the pixels of pictures keyed in mode `clean`, and how well the matte explains them.
public struct MatteTally: Hashable, Sendable {
  /// Pixels that are all screen.
  public var transparent = 0
  /// Pixels between screen and foreground.
  public var partial = 0
  /// Pixels that are all foreground.
  public var opaque = 0
  /// Pixels of a colour near the screen's that were kept as paint.
  public var paint = 0
  /// Over the pixels between, the sum of what the result over the screen differs from the picture,
  /// in 8-bit steps.
  public var residue: Double = 0

  /// A tally of nothing.
  public init() {}

  /// All pixels.
  public var count: Int { transparent + partial + opaque }

  /// What the result over the measured screen differs from the picture on average over the pixels
  /// between screen and foreground, in 8-bit steps: small where the matte explains the picture.
  public var meanResidue: Double { partial == 0 ? 0 : residue / Double(partial) }

  /// Adds another tally.
  public mutating func add(_ other: MatteTally) {
    transparent += other.transparent
    partial += other.partial
    opaque += other.opaque
    paint += other.paint
    residue += other.residue
  }
}

/// Counts what is written where shaping, masks or an alpha of the picture's own change what was solved.
struct MatteRecount {
  private var transparent = 0
  private var opaque = 0
  private var count = 0

  /// Counts pixels.
  mutating func add(_ pixels: Span<SIMD4<UInt8>>) {
    for index in pixels.indices { add(pixels[index].w) }
  }

  /// Counts the pixels of a matte.
  mutating func add(_ alpha: Span<UInt8>) {
    for index in alpha.indices { add(alpha[index]) }
  }

  private mutating func add(_ alpha: UInt8) {
    count += 1
    if alpha == 0 { transparent += 1 }
    if alpha == 255 { opaque += 1 }
  }

  /// The tally of what was counted, explained as well as what was solved.
  func tally(explainedAs solved: MatteTally) -> MatteTally {
    var tally = MatteTally()
    tally.transparent = transparent
    tally.opaque = opaque
    tally.partial = count - transparent - opaque
    tally.paint = min(solved.paint, opaque)
    tally.residue = solved.meanResidue * Double(tally.partial)
    return tally
  }
}

/// Counts up a tally, eight pixels at once.
struct MatteCounter {
  var transparent = 0
  var opaque = 0
  var paint = 0
  private var solved = 0
  private var clearLanes = SIMD8<UInt32>.zero
  private var opaqueLanes = SIMD8<UInt32>.zero
  private var residueLanes = SIMD8<Float>.zero
  private var residue: Double = 0

  /// Adds the first `count` of eight solved pixels, or all if it is more, and how far they are from the picture.
  @inline(always)
  mutating func add(_ pixels: SIMD8<UInt32>, _ residue: SIMD8<Float>, _ count: Int) {
    let alpha = pixels &>> 24
    var isClear = alpha.flags(equal: .zero)
    var isOpaque = alpha.flags(equal: SIMD8(repeating: 255))
    var isPartial = ~(isClear | isOpaque)
    if count < 8 {
      let isCounted = SIMD8<Int16>(0, 1, 2, 3, 4, 5, 6, 7).flags(
        below: SIMD8(repeating: Int16(count)))
      let lanes = SIMD8<UInt32>(truncatingIfNeeded: isCounted)
      isClear &= lanes
      isOpaque &= lanes
      isPartial &= lanes
    }
    solved &+= min(count, 8)
    // All bits are −1.
    clearLanes &-= isClear
    opaqueLanes &-= isOpaque
    residueLanes += residue.masked(isPartial)
  }

  /// Ends a row: sums of many rows would lose digits.
  mutating func endRow() {
    residue += Double(residueLanes.total)
    residueLanes = .zero
  }

  /// What was counted in rows that ended.
  var tally: MatteTally {
    var tally = MatteTally()
    let (clear, full) = (Int(clearLanes.total), Int(opaqueLanes.total))
    tally.transparent = transparent + clear
    tally.opaque = opaque + full
    tally.partial = solved - clear - full
    tally.paint = paint
    tally.residue = residue
    return tally
  }
}
