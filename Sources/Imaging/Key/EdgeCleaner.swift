/// Takes the screen's colour out of the pixels at the edges of a matte.
///
/// A half-transparent pixel is a mixture C = a·F + (1 − a)·K of foreground and screen, and un-mixing
/// solves for F. What the screen has left in the pixels just inside the edge, where 4:2:0 and the
/// codec carried it, is limited: the strong channels lose their excess over the others (see
/// ``ColorDifference``), and half of the luma that this takes is put back as grey, which came out best
/// on known scenes. Pixels further in are left alone: there, the hue is the foreground's own.
struct EdgeCleaner {
  /// How many pixels inside the matte the screen's colour is looked for.
  static let reach = 2
  /// The pixels that are looked at together for lying near an edge.
  private static let chunk = 16

  private let screens: [Screen]
  private let unmix: Bool
  private let despill: Float
  /// The least raw alpha of the five rows about the one at hand.
  private var lowest: [UInt8] = []

  private struct Screen {
    /// The colour in 8-bit steps.
    let color: SIMD3<Float>
    let difference: ColorDifference?
    /// The luma that one step of excess takes, as grey, times one half.
    let lumaBack: Float

    init(_ measurement: KeyMeasurement) {
      color = measurement.color.channels * 255
      difference = ColorDifference(screen: measurement.color.channels)
      let weights = SIMD3<Float>(0.299, 0.587, 0.114)
      lumaBack = difference.map { weights.replacing(with: 0, where: .!$0.isStrong).sum() / 2 } ?? 0
    }
  }

  /// The cleaner of a plan; `nil` where colours are to stay as they are.
  init?(_ plan: KeyPlan) {
    let settings = plan.settings
    guard settings.mode == .clean, settings.unmix || settings.despill > 0, !plan.screens.isEmpty
    else { return nil }
    unmix = settings.unmix
    despill = settings.despill
    screens = plan.screens.map(Screen.init)
  }

  /// Cleans the pixels of row `y`, which begin at `start`.
  mutating func clean(
    row y: Int, by matte: MatteTile, in pixels: inout MutableSpan<SIMD4<UInt8>>, at start: Int,
    width: Int
  ) {
    findLowest(around: y, in: matte, width: width)
    let alphaStart = matte.start(ofRow: y)
    for first in stride(from: 0, to: width, by: Self.chunk) {
      let run = first..<min(first + Self.chunk, width)
      guard isNearEdge(run) else { continue }
      for x in run where pixels[start + x].w > 0 && isNearEdge(x..<x + 1) {
        let alpha = matte.rawRows[alphaStart + x]
        pixels[start + x] = cleaned(pixels[start + x], alpha: alpha)
      }
    }
  }

  /// The pixel without the screen's share.
  private func cleaned(_ pixel: SIMD4<UInt8>, alpha: UInt8) -> SIMD4<UInt8> {
    var color = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
    let screen = nearestScreen(to: color)
    if unmix, alpha < 255 {
      let unmixed = screen.color + (color - screen.color) * (255 / Float(max(alpha, 1)))
      color = bounded(unmixed)
    }
    if let difference = screen.difference {
      let excess = difference.excess(red: color.x, green: color.y, blue: color.z) * despill
      if excess > 0 {
        let taken = SIMD3<Float>(repeating: 0).replacing(with: excess, where: difference.isStrong)
        color = bounded(color - taken + excess * screen.lumaBack)
      }
    }
    return SIMD4(
      UInt8(truncatingIfNeeded: roundedToInteger(color.x)),
      UInt8(truncatingIfNeeded: roundedToInteger(color.y)),
      UInt8(truncatingIfNeeded: roundedToInteger(color.z)), pixel.w)
  }

  private func nearestScreen(to color: SIMD3<Float>) -> Screen {
    guard screens.count > 1 else { return screens[0] }
    func distance(_ screen: Screen) -> Float {
      let away = color - screen.color
      return (away * away).sum()
    }
    return screens.min { distance($0) < distance($1) } ?? screens[0]
  }

  private func bounded(_ color: SIMD3<Float>) -> SIMD3<Float> {
    color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
  }

  /// Whether a pixel within reach of a run is not opaque.
  private func isNearEdge(_ run: Range<Int>) -> Bool {
    // `lowest` has `reach` repeated samples at either end, so pixel x stands at x + reach.
    let around = lowest.span.extracting(run.lowerBound..<run.upperBound + 2 * Self.reach)
    var all: UInt8 = 255
    for i in around.indices { all &= around[i] }
    return all < 255
  }

  private mutating func findLowest(around y: Int, in matte: MatteTile, width: Int) {
    if lowest.count != width + 2 * Self.reach {
      lowest = [UInt8](repeating: 255, count: width + 2 * Self.reach)
    }
    let middle = matte.start(ofRow: y)
    lowerTo(matte.rawRows, at: middle, isFirst: true, width: width)
    for distance in 1...Self.reach {
      for row in [y - distance, y + distance] {
        let start = matte.start(ofRow: matte.nearestRow(to: row))
        lowerTo(matte.rawRows, at: start, isFirst: false, width: width)
      }
    }
  }

  private mutating func lowerTo(_ rows: [UInt8], at start: Int, isFirst: Bool, width: Int) {
    let row = rows.span.extracting(start..<start + width)
    var lowest = lowest.mutableSpan
    precondition(lowest.count == width + 2 * Self.reach, "rows must agree")
    let most: UInt8 = isFirst ? 255 : 0
    for x in row.indices {
      // In bounds by the check above.
      let before = unsafe lowest[unchecked: x &+ Self.reach] | most
      unsafe lowest[unchecked: x &+ Self.reach] = min(before, row[x])
    }
  }
}
