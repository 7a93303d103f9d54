/// Solves for the coverage and the foreground's colour of a pixel between foreground and screen.
///
/// Such a pixel is a mixture C = a·F + (1 − a)·K of foreground and screen. Where the colour of the
/// foreground nearby is known, coverage is the projection of C − K on F − K, with luma weighted above
/// chroma because 4:2:0 and codecs blur chroma; how far it is trusted goes by how well the mixture
/// explains the pixel. Elsewhere, as in smoke, it is the first coverage, by colour difference, and where
/// the foreground ends at once, what luma says (``SharpEdge``). A pixel is covered by as much at least as
/// makes it so dark or bright.
/// Un-mixing then gives the colour, blended to the carried one where coverage is small and un-mixing
/// would amplify noise. What hue of the screen is left beyond what the carried colour has itself is
/// limited, half of the luma that this takes put back as grey.
struct EdgeSolver {
  /// The residue of a mixture up to which it is trusted, and from which on it is not, in 8-bit steps.
  private static let residue: (trusted: Float, mistrusted: Float) = (5, 15)
  /// The share of foreground nearby from which on its colour is taken for known.
  private static let knownShare: Float = 0.02
  /// Coverage this near to 0 or 1 becomes 0 or 1 where the mixture is trusted.
  private static let clip: Float = 0.08
  /// How much of what luma asks for at least is left to noise and ringing.
  private static let lumaTolerance: Float = 0.04

  private let screens: [ScreenLanes]
  /// The luma code in the picture at hand of a screen that is the only one: before several it is not
  /// known which of them an edge is before.
  private(set) var screenLuma: UInt8?
  private let unmix: Bool
  private let despill: Float
  /// Whether luma tells the least coverage: not where a ramp over chroma says what is screen.
  private let mindsLuma: Bool

  /// The solver of a plan.
  init(_ plan: KeyPlan) {
    unmix = plan.settings.unmix
    despill = plan.settings.despill
    mindsLuma = !plan.settings.hasRamp
    screens = plan.screens.map(ScreenLanes.init)
  }

  /// Begins a picture of an encoding.
  mutating func begin(_ encoding: YCbCrEncoding) {
    guard screens.count == 1 else { return }
    let code = encoding.codes(of: screens[0].color / 255).x
    screenLuma = UInt8(min(max(code, 0), 255).rounded())
  }

  /// Eight solved pixels.
  struct Solution {
    /// Straight colour, and coverage as alpha.
    var pixels: SIMD8<UInt32>
    /// How far the pixels over the screen are from the picture's, in 8-bit steps.
    var residue: SIMD8<Float>
  }

  /// Takes the screen's share out of eight pixels, and makes their coverage their alpha.
  ///
  /// `edge` is `nil` where there is no sharp one. Where nothing is left they are zero.
  @inline(always)
  func solve(
    _ words: SIMD8<UInt32>, coverage: SIMD8<UInt8>, carried: CarriedColor.Lanes,
    edge: Surround.Lanes?
  ) -> Solution {
    let color = ColorLanes(PixelLanes(words))
    let first = coverage.words.floats * (1 / 255)
    let edge = edge.map { SharpEdge($0, first: first) }
    let solution = solve(color, first, carried, edge, screens[0])
    return finished(solution, color, first, carried)
  }

  /// The same where no foreground is near any of the pixels.
  @inline(always)
  func solve(
    _ words: SIMD8<UInt32>, coverage: SIMD8<UInt8>, edge: Surround.Lanes?
  ) -> Solution {
    let color = ColorLanes(PixelLanes(words))
    let first = coverage.words.floats * (1 / 255)
    let edge = edge.map { SharpEdge($0, first: first) }
    let solution = solve(color, first, edge, screens[0])
    return finished(solution, color, first, nil)
  }

  /// The solution of a nearer screen where there is one, zero where nothing is left.
  @inline(always)
  private func finished(
    _ solution: Solution, _ color: ColorLanes, _ first: SIMD8<Float>,
    _ carried: CarriedColor.Lanes?
  ) -> Solution {
    var solution = solution
    if screens.count > 1 { solution = nearest(solution, color, first, carried) }
    let isNothing = (solution.pixels &>> 24).flags(equal: .zero)
    solution.pixels &= ~isNothing
    return solution
  }

  /// Of the solutions against each screen that of the one whose colour is nearest.
  @inline(never)
  private func nearest(
    _ solution: Solution, _ color: ColorLanes, _ first: SIMD8<Float>,
    _ carried: CarriedColor.Lanes?
  ) -> Solution {
    var solution = solution
    var least = (color - screens[0].color).squaredLength
    for screen in screens.dropFirst() {
      let distance = (color - screen.color).squaredLength
      let isNearer = distance.flags(below: least)
      least = least.lesser(distance)
      let other =
        carried.map { solve(color, first, $0, nil, screen) } ?? solve(color, first, nil, screen)
      solution.pixels.set(other.pixels, where: isNearer)
      solution.residue = solution.residue.masked(~isNearer) + other.residue.masked(isNearer)
    }
    return solution
  }

  /// Solves against one screen.
  @inline(always)
  private func solve(
    _ color: ColorLanes, _ first: SIMD8<Float>, _ carried: CarriedColor.Lanes,
    _ edge: SharpEdge?, _ screen: ScreenLanes
  ) -> Solution {
    let known = 1 / (carried.share + 1e-5)
    let foreground = ColorLanes(
      red: carried.red * known, green: carried.green * known, blue: carried.blue * known)
    let difference = color - screen.color
    let mixture = (foreground - screen.color).projection(of: difference)
    let (trusted, mistrusted) = Self.residue
    let trust =
      (carried.share * (1 / Self.knownShare)).clamped(to: 1)
      * ((mistrusted - mixture.residue) * (1 / (mistrusted - trusted))).clamped(to: 1)
    var (alpha, certain) = (first + (mixture.share - first) * trust, trust)
    edge?.refine(&alpha, &certain)
    alpha = bounded(clipped(alpha, trust: certain), difference, screen).withoutTraces
    var result = color
    if unmix {
      let own = unmixed(difference, alpha, screen)
      result = own + (foreground - own) * ((1.2 - alpha).clamped(to: 1) * trust)
    }
    if despill > 0, screen.hasHue {
      // The hue of the screen that the foreground has itself is left.
      let own = screen.excess(of: foreground).positivePart * trust
      result = despilled(result, screen.excess(of: result) - own, screen)
    }
    return Solution(result, alpha, of: difference, screen)
  }

  /// Solves against one screen where no foreground is near: what the other form comes to when nothing
  /// in its mixture is trusted.
  @inline(always)
  private func solve(
    _ color: ColorLanes, _ first: SIMD8<Float>, _ edge: SharpEdge?,
    _ screen: ScreenLanes
  ) -> Solution {
    let difference = color - screen.color
    var (alpha, trust) = (first, SIMD8<Float>.zero)
    if let edge {
      edge.refine(&alpha, &trust)
      alpha = clipped(alpha, trust: trust)
    }
    alpha = bounded(alpha, difference, screen).withoutTraces
    var result = unmix ? unmixed(difference, alpha, screen) : color
    if despill > 0, screen.hasHue {
      result = despilled(result, screen.excess(of: result), screen)
    }
    return Solution(result, alpha, of: difference, screen)
  }

  /// Coverage in 0…1; where it is trusted, what is near to 0 or 1 becomes that.
  @inline(always)
  private func clipped(_ coverage: SIMD8<Float>, trust: SIMD8<Float>) -> SIMD8<Float> {
    let clip = Self.clip * trust
    return ((coverage - clip) / (1 - 2 * clip)).clamped(to: 1)
  }

  /// Coverage, and no less than that without which a pixel could not be so much darker or brighter than
  /// the screen.
  ///
  /// Of C = a·F + (1 − a)·K with F from black to white, a is at least 1 − C/K and (C − K)/(1 − K).
  @inline(always)
  private func bounded(
    _ coverage: SIMD8<Float>, _ difference: ColorLanes, _ screen: ScreenLanes
  ) -> SIMD8<Float> {
    guard mindsLuma, screen.hasHue else { return coverage }
    let away = difference.luma
    let least = (away * screen.darkening).greater(away * screen.brightening) - Self.lumaTolerance
    return coverage.greater(least).lesser(SIMD8(repeating: 1))
  }

  /// The colours that, covering a screen so far, differ from it by so much.
  @inline(always)
  private func unmixed(
    _ difference: ColorLanes, _ alpha: SIMD8<Float>, _ screen: ScreenLanes
  ) -> ColorLanes {
    (difference * (1 / alpha.greater(SIMD8(repeating: 0.02))) + screen.color).bounded
  }

  /// Colours without an excess of a screen's hue.
  @inline(always)
  private func despilled(
    _ color: ColorLanes, _ excess: SIMD8<Float>, _ screen: ScreenLanes
  ) -> ColorLanes {
    let taken = excess.positivePart * despill
    return ColorLanes(
      red: color.red + taken * screen.taking.x, green: color.green + taken * screen.taking.y,
      blue: color.blue + taken * screen.taking.z
    ).bounded
  }
}

extension EdgeSolver.Solution {
  /// Pixels of colours and coverage, which differ from the screen by so much in the picture.
  @inline(always)
  fileprivate init(
    _ color: ColorLanes, _ alpha: SIMD8<Float>, of difference: ColorLanes, _ screen: ScreenLanes
  ) {
    pixels = color.pixels(alpha: alpha)
    residue = (difference - (color - screen.color) * alpha).meanMagnitude
  }
}

extension SIMD8<Float> {
  /// Coverage, 0 where it is less than a step of 8 bits.
  @inline(always)
  fileprivate var withoutTraces: Self { masked(~flags(below: Self(repeating: 0.004))) }
}
