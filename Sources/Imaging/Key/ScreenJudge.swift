/// Gives pixels their first coverage, and tells those that are screen or like it.
struct ScreenJudge {
  /// The flag of a pixel that is screen for certain.
  static let isScreen: UInt8 = 255
  /// The flag of a pixel that is like the screen.
  static let isLikeScreen: UInt8 = 2

  /// The chroma distance up to which a pixel is so like the screen that foreground keeps away.
  private static let nearScreen: Float = 0.05
  /// The chroma distance up to which a pixel is screen at least, and at most where the screen is
  /// noisy or unevenly lit.
  private static let ownScreen: ClosedRange<Float> = 0.02...0.05
  /// The chroma of a screen for which those distances are right: half of a pure one's.
  private static let fullChroma: Float = 0.25

  /// What is left of those distances around grey at least.
  private static let leastScale: Float = 0.25

  private let rule: LaneRule
  private let distances: [NearTest]
  private let ownReach: Float
  private let screen: SIMD3<Float>?

  /// The judge of a plan.
  init(_ plan: KeyPlan) {
    rule = LaneRule(plan)
    screen = plan.screens.first?.unclamped
    let noise = plan.screens.map(\.noise).max() ?? 0
    // A dull screen is nearer to grey, and so is everything on it.
    let chroma = plan.screens.map(\.chroma).max() ?? 1
    let scale = max(min(1, chroma / Self.fullChroma), Self.leastScale)
    let own = (Self.ownScreen.lowerBound * scale, Self.ownScreen.upperBound * scale)
    ownReach = max(min(max(4 * noise, own.0), own.1), 3 * noise)
    let nearReach = max(Self.nearScreen * scale, ownReach)
    // A ramp that is given says what is screen.
    let isByDistance = plan.settings.threshold != nil || plan.settings.smoothing != nil
    let own_ = ownReach
    distances =
      isByDistance
      ? []
      : plan.screens.map { NearTest(from: $0.color.channels, own: own_, near: nearReach) }
  }

  /// Codes that are nothing but screen, whatever luma does to their neighbours' chroma; `nil` where
  /// none are known to be.
  func screenCodes(of encoding: YCbCrEncoding) -> CodeBox? {
    guard let screen, !distances.isEmpty else { return nil }
    let distance = ChromaDistance(from: screen)
    return AlphaTable(encoding: encoding, screenNear: screen) { rgb in
      distance(red: rgb.x, green: rgb.y, blue: rgb.z) < 0.7 * ownReach ? 0 : 255
    }.boxes.transparent
  }

  /// Sets coverage and flags of the sixteen pixels of each block of a row that is neither plain screen nor
  /// solid.
  func judge(
    _ blocks: BlockMap, row y: Int, _ color: SampleRow<UInt32>, coverage: SampleRow<UInt8>,
    screen: SampleRow<UInt8>
  ) {
    rule.apply(to: color, blocks, row: y, into: coverage)
    /// Nothing is left of what is screen.
    @inline(always)
    func isNothing(_ x: Int) -> SIMD8<UInt8> {
      let one = SIMD8<UInt8>(repeating: 1)
      return coverage.eight(x).lesser(one) &- one
    }
    if distances.isEmpty { blocks.visitOpen(row: y) { screen.set(isNothing($0), at: $0) } }
    for index in distances.indices {
      let distance = distances[index]
      blocks.visitOpen(row: y) { x in
        let flags = distance.flags(of: PixelLanes(color.eight(x))).lowBytes
        screen.set(flags | (index == 0 ? isNothing(x) : screen.eight(x)), at: x)
      }
    }
  }
}

/// The channels of eight pixels in 8-bit steps.
struct PixelLanes {
  let red, green, blue: SIMD8<Int16>

  /// Takes pixels apart, red in the low byte.
  @inline(always)
  init(_ words: SIMD8<UInt32>) {
    red = (words & 0xff).lowWords
    green = (words &>> 8 & 0xff).lowWords
    blue = (words &>> 16 & 0xff).lowWords
  }
}

/// Whether pixels are near one screen by ``ChromaDistance``, in 16 bits.
private struct NearTest {
  /// The near distance in this test's steps: its square and a clamped sum of two fit in 16 bits.
  private static let near: Float = 120

  private let crOfRed, crOfGreen, crOfBlue, cbOfRed, cbOfGreen, cbOfBlue: SIMD8<Int16>
  private let keyCr, keyCb: SIMD8<Int16>
  private let ownSquared, nearSquared: SIMD8<Int16>

  init(from key: SIMD3<Float>, own: Float, near: Float) {
    let steps = Self.near / near
    // Channels are taken in 1/128, so that the high half of the product has the steps.
    func weight(_ red: Float, _ green: Float, _ blue: Float) -> (SIMD8<Int16>, SIMD8<Int16>) {
      let place = ChromaDistance.chroma(red: red, green: green, blue: blue)
      let scale = steps * 512 / 255
      return (
        SIMD8(repeating: Int16(clampedTo: place.cr * scale)),
        SIMD8(repeating: Int16(clampedTo: place.cb * scale))
      )
    }
    (crOfRed, cbOfRed) = weight(1, 0, 0)
    (crOfGreen, cbOfGreen) = weight(0, 1, 0)
    (crOfBlue, cbOfBlue) = weight(0, 0, 1)
    let place = ChromaDistance.chroma(red: key.x, green: key.y, blue: key.z)
    // Three products are rounded down, by a half each on average.
    keyCr = SIMD8(repeating: Int16(clampedTo: place.cr * steps - 1.5))
    keyCb = SIMD8(repeating: Int16(clampedTo: place.cb * steps - 1.5))
    ownSquared = SIMD8(repeating: Int16(clampedTo: (own * steps) * (own * steps)))
    nearSquared = SIMD8(repeating: Int16(clampedTo: Self.near * Self.near))
  }

  @inline(always)
  func flags(of pixels: PixelLanes) -> SIMD8<Int16> {
    let (r, g, b) = (pixels.red &<< 7, pixels.green &<< 7, pixels.blue &<< 7)
    let cr =
      r.highHalf(times: crOfRed) &+ g.highHalf(times: crOfGreen) &+ b.highHalf(times: crOfBlue)
    let cb =
      r.highHalf(times: cbOfRed) &+ g.highHalf(times: cbOfGreen) &+ b.highHalf(times: cbOfBlue)
    let most = SIMD8<Int16>(repeating: 127)
    let x = (cr &- keyCr).lesser(most).greater(0 &- most)
    let y = (cb &- keyCb).lesser(most).greater(0 &- most)
    let squared = x &* x &+ y &* y
    return squared.flags(below: ownSquared) & Int16(ScreenJudge.isScreen)
      | squared.flags(below: nearSquared) & Int16(ScreenJudge.isLikeScreen)
  }
}

extension Int16 {
  /// The nearest to a number that is not NaN.
  init(clampedTo value: Float) {
    self = Int16(Swift.min(Swift.max(value.rounded(), -32768), 32767))
  }
}
