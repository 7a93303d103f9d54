/// The rule of a ``MatteRule`` for eight pixels at once.
struct LaneRule {
  private enum ScreenRule {
    case distance(DistanceLanes)
    case difference(DifferenceLanes)
  }

  private let screens: [ScreenRule]

  /// The rule of a plan.
  init(_ plan: KeyPlan) {
    let settings = plan.settings
    screens = plan.screens.map { screen in
      let color = screen.color.channels
      if settings.mode == .clean, !settings.hasRamp,
        let difference = ColorDifference(screen: color)
      {
        return .difference(DifferenceLanes(difference))
      }
      return .distance(DistanceLanes(from: color, ramp: settings.ramp))
    }
  }

  /// Sets the least coverage that any of the screens leaves in the open blocks of a row.
  func apply(
    to color: SampleRow<UInt32>, _ blocks: BlockMap, row y: Int, into coverage: SampleRow<UInt8>
  ) {
    if screens.isEmpty {
      blocks.visitOpen(row: y) { coverage.set(SIMD8<UInt8>(repeating: 255), at: $0) }
    }
    @inline(always)
    func lower(isFirst: Bool, by rule: (PixelLanes) -> SIMD8<Int16>) {
      blocks.visitOpen(row: y) { x in
        let left = rule(PixelLanes(color.eight(x))).lowBytes
        coverage.set(isFirst ? left : coverage.eight(x).lesser(left), at: x)
      }
    }
    for index in screens.indices {
      switch screens[index] {
      case .distance(let rule): lower(isFirst: index == 0) { rule.coverage(of: $0) }
      case .difference(let rule): lower(isFirst: index == 0) { rule.coverage(of: $0) }
      }
    }
  }
}

/// ``ColorDifference`` in 16 bits.
private struct DifferenceLanes {
  private let weak, strong: SIMD3<Int16>
  private let start, slope: SIMD8<Int16>
  private let shift: Int16

  init(_ difference: ColorDifference) {
    let line = difference.line
    let isStrong = difference.isStrong
    weak = SIMD3(isStrong[0] ? 0 : 1024, isStrong[1] ? 0 : 1024, isStrong[2] ? 0 : 1024)
    strong = SIMD3(repeating: 1024) &- weak
    // The steepest slope that fits: excess is taken in 1/128, and the high half of its product with
    // the slope then has `shift` bits below the step.
    var bits = 14
    while bits > 9, line.slope * Float(1 << bits) > 32767 { bits -= 1 }
    slope = SIMD8(repeating: Int16(clampedTo: line.slope * Float(1 << bits)))
    shift = Int16(bits - 9)
    start = SIMD8(repeating: Int16(clampedTo: (line.start * 255 + 0.5) * Float(1 << (bits - 9))))
  }

  @inline(always)
  func coverage(of pixels: PixelLanes) -> SIMD8<Int16> {
    let least = (pixels.red &+ weak.x).lesser(pixels.green &+ weak.y).lesser(
      pixels.blue &+ weak.z)
    let greatest = (pixels.red &- strong.x).greater(pixels.green &- strong.y).greater(
      pixels.blue &- strong.z)
    let fall = ((least &- greatest) &<< 7).highHalf(times: slope)
    return ((start &- fall) &>> shift).clampedToByte
  }
}

/// The smooth step over ``ChromaDistance``.
private struct DistanceLanes {
  private let key: (cr: Float, cb: Float)
  private let start: Float
  private let slope: Float

  init(from color: SIMD3<Float>, ramp: (threshold: Float, smoothing: Float)) {
    key = ChromaDistance.chroma(red: color.x, green: color.y, blue: color.z)
    start = ramp.threshold
    slope = 1 / max(ramp.smoothing, 1e-6)
  }

  @inline(always)
  func coverage(of pixels: PixelLanes) -> SIMD8<Int16> {
    let (red, green, blue) = (
      pixels.red.floats / 255, pixels.green.floats / 255, pixels.blue.floats / 255
    )
    let luma = red * 0.2989 + green * 0.5866 + blue * 0.1145
    let (cr, cb) = (0.7132 * (red - luma) - key.cr, 0.5647 * (blue - luma) - key.cb)
    let t = (((cr * cr + cb * cb).root - start) * slope).clamped(to: 1)
    return (t * t * (3 - 2 * t) * 255).roundedWords
  }
}

extension KeySettings {
  /// Whether a ramp over the chroma distance is given.
  var hasRamp: Bool { threshold != nil || smoothing != nil }

  /// The ramp over the chroma distance; where it is not given, that of the recipes.
  var ramp: (threshold: Float, smoothing: Float) { (threshold ?? 0.15, smoothing ?? 0.3) }
}
