/// Tells pixels that are surely screen and pixels that are surely foreground.
struct CoreFinder {
  /// How far foreground keeps from the screen: what lies nearer may be mixed with it.
  static let reach = 2
  /// The first coverage from which on a pixel counts as foreground.
  private static let solid: UInt8 = 251
  /// The chroma distance up to which a pixel is so like the screen that foreground keeps away.
  private static let nearScreen: Float = 0.05
  /// The chroma distance up to which a pixel is screen at least, and at most where the screen is
  /// noisy or unevenly lit.
  private static let ownScreen: ClosedRange<Float> = 0.02...0.05

  /// The chroma of a screen for which those distances are right: half of a pure one's.
  private static let fullChroma: Float = 0.25

  private let distances: [ChromaDistance]
  private let ownReach: Float
  private let nearReach: Float
  private let isByDistance: Bool
  /// The first screen's colour as its codes have it.
  private let screen: SIMD3<Float>?

  /// The finder of a plan.
  init(_ plan: KeyPlan) {
    distances = plan.screens.map { ChromaDistance(from: $0.color.channels) }
    screen = plan.screens.first?.unclamped
    let noise = plan.screens.map(\.noise).max() ?? 0
    // A dull screen is nearer to grey, and so is everything on it.
    let chroma = plan.screens.map(\.chroma).max() ?? 1
    let scale = min(1, chroma / Self.fullChroma)
    let own = (Self.ownScreen.lowerBound * scale, Self.ownScreen.upperBound * scale)
    ownReach = max(min(max(4 * noise, own.0), own.1), 3 * noise)
    nearReach = max(Self.nearScreen * scale, ownReach)
    isByDistance = plan.settings.threshold != nil || plan.settings.smoothing != nil
  }

  /// Codes that are nothing but screen, whatever luma does to their neighbours' chroma; `nil` where
  /// none are known to be.
  func screenCodes(of encoding: YCbCrEncoding) -> CodeBox? {
    guard let screen, !isByDistance else { return nil }
    let distance = ChromaDistance(from: screen)
    return AlphaTable(encoding: encoding, screenNear: screen) { rgb in
      distance(red: rgb.x, green: rgb.y, blue: rgb.z) < 0.7 * ownReach ? 0 : 255
    }.transparent
  }

  /// Sets which pixels of a range are screen, 255, or only like it, 2; the others are 0.
  func findScreen(
    _ color: [SIMD4<UInt8>], _ coverage: [UInt8], _ range: Range<Int>, into screen: inout [UInt8]
  ) {
    markClear(coverage, range, into: &screen)
    if isByDistance { return }
    for distance in distances {
      markNear(color, distance, own: ownReach, near: nearReach, range, into: &screen)
    }
  }

  /// Sets which pixels of row `y` are foreground: 255 or 0.
  ///
  /// `coverage` and `screen` hold `rows` rows from `heldFrom` on; `nearScreen` is
  /// scratch space for a row.
  func findCore(
    row y: Int, heldFrom: Int, rows: Int, stride: Int, coverage: [UInt8], screen: [UInt8],
    surfaces: SurfaceMap, nearScreen: inout [UInt8], into core: inout [UInt8], at start: Int
  ) {
    let row = (y - heldFrom) * stride
    markSolid(coverage, at: row, count: stride, from: Self.solid, into: &core, at: start)
    surfaces.mark(row: y, into: &core, at: start, count: stride)
    let first = max(y - heldFrom - Self.reach, 0)
    let last = min(y - heldFrom + Self.reach, rows - 1)
    gather(screen, rows: first...last, stride: stride, into: &nearScreen)
    clearNear(nearScreen, count: stride, of: &core, at: start)
  }
}

// MARK: - Kernels

private func markClear(_ coverage: [UInt8], _ range: Range<Int>, into screen: inout [UInt8]) {
  let coverage = coverage.span
  var screen = screen.mutableSpan
  precondition(range.lowerBound >= 0 && range.upperBound <= screen.count, "range of the rows")
  precondition(coverage.count == screen.count, "rows must agree")
  for x in range {
    // In bounds by the checks.
    unsafe screen[unchecked: x] = coverage[unchecked: x] == 0 ? 255 : 0
  }
}

/// Marks pixels whose chroma is within two distances of a screen's.
private func markNear(
  _ color: [SIMD4<UInt8>], _ distance: ChromaDistance, own: Float, near: Float,
  _ range: Range<Int>,
  into screen: inout [UInt8]
) {
  let color = color.span
  var screen = screen.mutableSpan
  precondition(range.lowerBound >= 0 && range.upperBound <= screen.count, "range of the rows")
  precondition(color.count == screen.count, "rows must agree")
  for x in range {
    // In bounds by the checks.
    let pixel = unsafe unsafeBitCast(color[unchecked: x], to: UInt32.self).littleEndian
    let red = Float(pixel & 0xff) * (1 / 255)
    let green = Float(pixel &>> 8 & 0xff) * (1 / 255)
    let blue = Float(pixel &>> 16 & 0xff) * (1 / 255)
    let away = distance(red: red, green: green, blue: blue)
    unsafe screen[unchecked: x] |= (away < own ? 255 : 0) | (away < near ? 2 : 0)
  }
}

private func markSolid(
  _ coverage: [UInt8], at start: Int, count: Int, from solid: UInt8, into core: inout [UInt8],
  at place: Int
) {
  let coverage = coverage.span.extracting(start..<start + count)
  var core = core.mutableSpan
  precondition(place >= 0 && place + count <= core.count, "rows must agree")
  for x in coverage.indices {
    // In bounds by the check.
    unsafe core[unchecked: place &+ x] = coverage[x] >= solid ? 255 : 0
  }
}

/// Gathers the flags of rows that lie above each other, with two clear ones at either end.
private func gather(
  _ flags: [UInt8], rows: ClosedRange<Int>, stride: Int, into output: inout [UInt8]
) {
  let flags = flags.span
  var output = output.mutableSpan
  precondition(output.count == stride + 4, "the ends must be there")
  precondition(rows.lowerBound >= 0 && (rows.upperBound + 1) * stride <= flags.count)
  for x in output.indices { output[x] = 0 }
  for row in rows {
    let start = row * stride
    for x in 0..<stride {
      // In bounds by the checks.
      unsafe output[unchecked: x &+ 2] |= flags[unchecked: start &+ x]
    }
  }
}

/// Clears flags of a row up to two pixels beside gathered ones.
private func clearNear(
  _ flags: [UInt8], count: Int, of core: inout [UInt8], at place: Int
) {
  let flags = flags.span
  var core = core.mutableSpan
  precondition(flags.count == count + 4, "the ends must be there")
  precondition(place >= 0 && place + count <= core.count, "rows must agree")
  for x in 0..<count {
    // In bounds: pixel x stands at x + 2.
    let near =
      unsafe flags[unchecked: x] | flags[unchecked: x &+ 1] | flags[unchecked: x &+ 2]
      | flags[unchecked: x &+ 3] | flags[unchecked: x &+ 4]
    unsafe core[unchecked: place &+ x] &= near == 0 ? 255 : 0
  }
}
