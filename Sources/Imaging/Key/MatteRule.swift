/// The rule that gives a colour its alpha: the least that any of the screens leaves it.
struct MatteRule: Hashable, Sendable {
  private let screens: [ScreenRule]

  /// What one screen leaves of a colour.
  private enum ScreenRule: Hashable {
    /// The smooth step over the distance from the screen.
    case distance(ChromaDistance, KeyRamp)
    /// What is not the screen's share of hue.
    case difference(ColorDifference)

    func coverage(of rgb: SIMD3<Float>) -> Float {
      switch self {
      case .distance(let distance, let ramp):
        ramp.coverage(at: distance(red: rgb.x, green: rgb.y, blue: rgb.z))
      case .difference(let difference):
        difference.coverage(red: rgb.x, green: rgb.y, blue: rgb.z)
      }
    }
  }

  /// The rule of a plan.
  ///
  /// Mode `gpuimage` is the smooth step. Mode `clean` takes the colour difference, but for a screen
  /// without a hue and where the ramp is given: the ramp means a distance.
  init(_ plan: KeyPlan) {
    let settings = plan.settings
    let ramp = KeyRamp(threshold: settings.ramp.threshold, smoothing: settings.ramp.smoothing)
    screens = plan.screens.map { screen in
      let color = screen.color.channels
      if settings.mode == .clean, !settings.hasRamp, let difference = ColorDifference(screen: color)
      {
        return .difference(difference)
      }
      return .distance(ChromaDistance(from: color), ramp)
    }
  }

  /// The alpha of a colour, rounded to 8 bits.
  func alpha(of rgb: SIMD3<Float>) -> UInt8 {
    let coverage = screens.reduce(Float(1)) { min($0, $1.coverage(of: rgb)) }
    return UInt8(coverage * 255 + 0.5)
  }

  /// Makes the coverage of a row of pixels, whose own alpha plays no part, from `start` on.
  ///
  /// `scratch` is space for a row.
  func apply(
    to row: Span<SIMD4<UInt8>>, scratch: inout [Float], into output: inout [UInt8], at start: Int
  ) {
    if screens.isEmpty {
      for x in row.indices { scratch[x] = 1 }
    }
    for index in screens.indices {
      let isFirst = index == 0
      switch screens[index] {
      case .distance(let distance, let ramp):
        lower(&scratch, isFirst: isFirst, by: row) {
          ramp.coverage(at: distance(red: $0, green: $1, blue: $2))
        }
      case .difference(let difference):
        lower(&scratch, isFirst: isFirst, by: row) {
          difference.coverage(red: $0, green: $1, blue: $2)
        }
      }
    }
    round(scratch, count: row.count, into: &output, at: start)
  }

  /// Makes the coverage of a range of pixels, in the same range.
  func apply(
    to pixels: [SIMD4<UInt8>], _ range: Range<Int>, scratch: inout [Float],
    into output: inout [UInt8]
  ) {
    apply(
      to: pixels.span.extracting(range), scratch: &scratch, into: &output, at: range.lowerBound)
  }

  /// Multiplies the alpha of a row of RGBA pixels by the rule's.
  ///
  /// `scratch` is space for a row.
  func multiply(
    _ row: Span<SIMD4<UInt8>>, scratch: inout [Float], into alpha: inout [UInt8]
  ) {
    apply(to: row, scratch: &scratch, into: &alpha, at: 0)
    multiplyAlpha(of: row, by: scratch, into: &alpha)
  }
}

// MARK: - Kernels

/// Lowers each pixel's coverage to what one more screen leaves of its colour.
@inline(always)
private func lower(
  _ coverage: inout [Float], isFirst: Bool, by row: Span<SIMD4<UInt8>>,
  _ rule: (_ red: Float, _ green: Float, _ blue: Float) -> Float
) {
  var coverage = coverage.mutableSpan
  precondition(coverage.count >= row.count, "rows must agree")
  // More than any coverage, so that the first screen sets it.
  let most: Float = isFirst ? 2 : 0
  for x in row.indices {
    // One word, because four bytes one by one are not made vectors.
    let pixel = unsafe unsafeBitCast(row[x], to: UInt32.self).littleEndian
    let red = Float(pixel & 0xff) * (1 / 255)
    let green = Float(pixel &>> 8 & 0xff) * (1 / 255)
    let blue = Float(pixel &>> 16 & 0xff) * (1 / 255)
    let left = rule(red, green, blue)
    // In bounds by the check above.
    let before = unsafe coverage[unchecked: x] + most
    unsafe coverage[unchecked: x] = left < before ? left : before
  }
}

/// Rounds coverages to 8 bits.
private func round(
  _ coverage: [Float], count: Int, into output: inout [UInt8], at start: Int
) {
  let coverage = coverage.span
  var output = output.mutableSpan
  precondition(coverage.count >= count, "rows must agree")
  precondition(start >= 0 && start + count <= output.count, "rows must agree")
  for x in 0..<count {
    // In bounds by the checks above.
    unsafe output[unchecked: start &+ x] = UInt8(
      truncatingIfNeeded: roundedToInteger(coverage[unchecked: x] * 255))
  }
}

/// Multiplies the pixels' own alpha by a coverage.
private func multiplyAlpha(
  of row: Span<SIMD4<UInt8>>, by coverage: [Float], into output: inout [UInt8]
) {
  let coverage = coverage.span
  var alpha = output.mutableSpan
  precondition(alpha.count == row.count && coverage.count >= row.count, "rows must agree")
  for x in row.indices {
    let own = unsafe unsafeBitCast(row[x], to: UInt32.self).littleEndian &>> 24
    alpha[x] = UInt8(truncatingIfNeeded: roundedToInteger(coverage[x] * Float(own)))
  }
}

/// A number 0…2²³ rounded to the nearest integer, ties to even, as its low bits.
///
/// Adding 2²³ leaves no bits for a fraction; unlike a conversion it cannot trap, and so is made
/// vectors.
@inline(always)
func roundedToInteger(_ value: Float) -> UInt32 {
  (value + 8_388_608).bitPattern & 0x7f_ffff
}
