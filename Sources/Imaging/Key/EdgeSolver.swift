/// Solves for the coverage and the foreground's colour of a pixel between foreground and screen.
///
/// Such a pixel is a mixture C = a·F + (1 − a)·K of foreground and screen. Where the colour of the
/// foreground nearby is known, coverage is the projection of C − K on F − K, with luma weighted above
/// chroma because 4:2:0 and codecs blur chroma; how far it is trusted goes by how well the mixture
/// explains the pixel. Elsewhere, as in smoke, it is the first coverage, by colour difference.
/// Un-mixing then gives the colour, blended to the carried one where coverage is small and un-mixing
/// would amplify noise. What hue of the screen is left beyond what the carried colour has itself is
/// limited, half of the luma that this takes put back as grey.
struct EdgeSolver {
  /// The weight of chroma where luma has 1.
  private static let chromaWeight: Float = 0.2
  /// The residue of a mixture up to which it is trusted, and from which on it is not, in 8-bit steps.
  private static let residue: (trusted: Float, mistrusted: Float) = (9.2, 24.5)
  /// The share of foreground nearby from which on its colour is taken for known.
  private static let knownShare: Float = 0.02
  /// Coverage this near to 0 or 1 becomes 0 or 1 where the mixture is trusted.
  private static let clip: Float = 0.08

  private let screens: [Screen]
  private let unmix: Bool
  private let despill: Float

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

  /// The solver of a plan.
  init(_ plan: KeyPlan) {
    unmix = plan.settings.unmix
    despill = plan.settings.despill
    screens = plan.screens.map(Screen.init)
  }

  /// The pixel's colour without the screen's share, and its coverage as alpha.
  ///
  /// `carried` is the foreground's colour nearby times its share, and the share.
  func solve(
    _ pixel: SIMD4<UInt8>, coverage: UInt8, carried: SIMD4<Float>
  ) -> SIMD4<UInt8> {
    let color = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
    guard let screen = nearestScreen(to: color) else { return pixel }
    let first = Float(coverage) * (1 / 255)
    let share = carried.w
    let foreground = SIMD3(carried.x, carried.y, carried.z) / max(share, 1e-5)
    let mixture = Self.project(color - screen.color, on: foreground - screen.color)
    let (trusted, mistrusted) = Self.residue
    let trust =
      clampedToUnit(share / Self.knownShare)
      * clampedToUnit((mistrusted - mixture.residue) / (mistrusted - trusted))
    let clip = Self.clip * trust
    let alpha = clampedToUnit(
      (first + (mixture.alpha - first) * trust - clip) / (1 - 2 * clip))
    guard alpha >= 0.004 else { return outside(carried) }
    var result = color
    if unmix {
      let own = bounded(screen.color + (color - screen.color) / max(alpha, 0.02))
      result = own + (foreground - own) * (clampedToUnit(1.2 - alpha) * trust)
    }
    result = limited(result, screen, foreground, trust)
    return SIMD4(
      UInt8(truncatingIfNeeded: roundedToInteger(result.x)),
      UInt8(truncatingIfNeeded: roundedToInteger(result.y)),
      UInt8(truncatingIfNeeded: roundedToInteger(result.z)),
      UInt8(truncatingIfNeeded: roundedToInteger(alpha * 255)))
  }

  /// How far a solved pixel over the screen is from the picture's, in 8-bit steps.
  func residue(_ pixel: SIMD4<UInt8>, _ solved: SIMD4<UInt8>) -> Float {
    let color = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
    guard let screen = nearestScreen(to: color) else { return 0 }
    let alpha = Float(solved.w) * (1 / 255)
    let foreground = SIMD3(Float(solved.x), Float(solved.y), Float(solved.z))
    let away = screen.color + (foreground - screen.color) * alpha - color
    return (abs(away.x) + abs(away.y) + abs(away.z)) * (1 / 3)
  }

  /// The foreground's colour nearby, without coverage: what a pixel of screen has if the matte grows.
  func outside(_ carried: SIMD4<Float>) -> SIMD4<UInt8> {
    guard carried.w > 1e-3 else { return .zero }
    let color = bounded(SIMD3(carried.x, carried.y, carried.z) / carried.w)
    return SIMD4(SIMD3<UInt8>(color), 0)
  }

  /// The colour without the hue of the screen that the foreground has not itself.
  private func limited(
    _ color: SIMD3<Float>, _ screen: Screen, _ foreground: SIMD3<Float>, _ trust: Float
  ) -> SIMD3<Float> {
    guard despill > 0, let difference = screen.difference else { return color }
    let own = difference.excess(red: foreground.x, green: foreground.y, blue: foreground.z)
    let excess = difference.excess(red: color.x, green: color.y, blue: color.z)
    let taken = (excess - max(own, 0) * trust) * despill
    guard taken > 0 else { return color }
    let strong = SIMD3<Float>(repeating: 0).replacing(with: taken, where: difference.isStrong)
    return bounded(color - strong + taken * screen.lumaBack)
  }

  /// The share of a direction in a difference of colours, 0…1, and the length of what it leaves.
  private static func project(
    _ difference: SIMD3<Float>, on direction: SIMD3<Float>
  ) -> (alpha: Float, residue: Float) {
    let (c, f) = (weighted(difference), weighted(direction))
    let alpha = clampedToUnit((c * f).sum() / max((f * f).sum(), 6.5))
    let rest = c - alpha * f
    return (alpha, (rest * rest).sum().squareRoot())
  }

  /// Luma and weighted chroma of a difference of colours (BT.601).
  private static func weighted(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
    let luma = 0.299 * rgb.x + 0.587 * rgb.y + 0.114 * rgb.z
    return SIMD3(
      luma, (rgb.z - luma) * (0.5643 * chromaWeight), (rgb.x - luma) * (0.7133 * chromaWeight))
  }

  private func nearestScreen(to color: SIMD3<Float>) -> Screen? {
    guard screens.count > 1 else { return screens.first }
    func distance(_ screen: Screen) -> Float {
      let away = color - screen.color
      return (away * away).sum()
    }
    return screens.min { distance($0) < distance($1) }
  }

  private func bounded(_ color: SIMD3<Float>) -> SIMD3<Float> {
    color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
  }
}
