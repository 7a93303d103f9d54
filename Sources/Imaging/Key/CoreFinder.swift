/// Tells pixels that are surely screen and pixels that are surely foreground.
struct CoreFinder {
  /// How far foreground keeps from the screen: what lies nearer may be mixed with it.
  static let reach = 2
  /// The first coverage from which on a pixel counts as foreground.
  private static let solid: UInt8 = 251
  /// The chroma distance up to which a pixel is screen; twice the screen's own spread, within bounds.
  private static let leastDistance: Float = 0.05

  private let distances: [ChromaDistance]
  private let reachOfScreen: Float
  private let isByDistance: Bool
  private let color: RGBColor?

  /// The finder of a plan.
  init(_ plan: KeyPlan) {
    distances = plan.screens.map { ChromaDistance(from: $0.color.channels) }
    color = plan.screens.first?.color
    reachOfScreen = Self.leastDistance
    isByDistance = plan.settings.threshold != nil || plan.settings.smoothing != nil
  }

  /// Codes that are nothing but screen, whatever luma does to their neighbours' chroma; `nil` where
  /// none are known to be.
  func screenCodes(of encoding: YCbCrEncoding) -> CodeBox? {
    guard let color, !isByDistance else { return nil }
    return AlphaTable(encoding: encoding, screenNear: color) { rgb in
      distances[0](red: rgb.x, green: rgb.y, blue: rgb.z) < 0.7 * reachOfScreen ? 0 : 255
    }.transparent
  }

  /// Sets which pixels of a range are screen: 255 or 0.
  func findScreen(
    _ color: [SIMD4<UInt8>], _ coverage: [UInt8], _ range: Range<Int>, into screen: inout [UInt8]
  ) {
    let coverage = coverage.span
    var screen = screen.mutableSpan
    for x in range { screen[x] = coverage[x] == 0 ? 255 : 0 }
    if isByDistance { return }
    let color = color.span
    let limit = reachOfScreen
    for distance in distances {
      for x in range {
        let pixel = unsafe unsafeBitCast(color[x], to: UInt32.self).littleEndian
        let red = Float(pixel & 0xff) * (1 / 255)
        let green = Float(pixel &>> 8 & 0xff) * (1 / 255)
        let blue = Float(pixel &>> 16 & 0xff) * (1 / 255)
        if distance(red: red, green: green, blue: blue) < limit { screen[x] = 255 }
      }
    }
  }

  /// Sets which pixels of row `y` are foreground: 255 or 0.
  ///
  /// `coverage` and `screen` hold `rows` rows from `heldFrom` on.
  func findCore(
    row y: Int, heldFrom: Int, rows: Int, stride: Int, coverage: [UInt8], screen: [UInt8],
    surfaces: SurfaceMap, into core: inout [UInt8], at start: Int
  ) {
    let row = (y - heldFrom) * stride
    markSolid(coverage, at: row, count: stride, from: Self.solid, into: &core, at: start)
    surfaces.mark(row: y, into: &core, at: start, count: stride)
    let first = max(y - heldFrom - Self.reach, 0)
    let last = min(y - heldFrom + Self.reach, rows - 1)
    for held in first...last {
      clearNear(screen, at: held * stride, count: stride, of: &core, at: start)
    }
  }
}

// MARK: - Kernels

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

/// Clears flags of a row up to two pixels beside flags of another.
private func clearNear(
  _ flags: [UInt8], at start: Int, count: Int, of core: inout [UInt8], at place: Int
) {
  let flags = flags.span.extracting(start..<start + count)
  var core = core.mutableSpan
  precondition(place >= 0 && place + count <= core.count, "rows must agree")
  for x in Array(0..<min(2, count)) + Array(max(2, count - 2)..<max(2, count)) {
    for near in max(x - 2, 0)...min(x + 2, count - 1) { core[place + x] &= ~flags[near] }
  }
  guard count > 4 else { return }
  for x in 2..<count - 2 {
    // In bounds: two pixels on either side lie in the row.
    let near =
      unsafe flags[unchecked: x &- 2] | flags[unchecked: x &- 1] | flags[unchecked: x]
      | flags[unchecked: x &+ 1] | flags[unchecked: x &+ 2]
    unsafe core[unchecked: place &+ x] &= ~near
  }
}
