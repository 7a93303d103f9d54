/// Finds how the light on a screen lies over a picture.
///
/// Light falls off gently, so a quadratic follows it and cannot follow what stands before the screen.
/// Foreground only ever lowers how much of the screen's hue is there; samples below the surface are
/// therefore left out, and it is fitted anew to what remains.
struct LightSurvey {
  /// A colour somewhere in the picture, in the picture's own codes.
  struct Sample {
    /// Where it is, from −1 to 1.
    var place: SIMD2<Float>
    /// The codes.
    var codes: SIMD3<Float>
    /// The same as red, green and blue.
    var color: SIMD3<Float>
  }

  /// About how many samples are looked at: light is smooth.
  private static let target = 48 * 36
  /// How much of the screen's hue a sample has at least to be a candidate.
  private static let leastShare: Float = 0.35
  /// The cosine of the angle that hue may be off by.
  private static let leastCosine: Float = 0.966
  /// How far a sample may be off the surface to count as screen.
  private static let reach: Float = 0.08
  /// The share of all samples that must be screen.
  private static let leastScreen: Float = 0.1
  /// The range of a fit, in 8-bit codes, from which on it is more than a codec's noise.
  private static let leastRange: Float = 4

  /// The variance of the screen's hue, where 1 is all of it, from which on it is more than noise.
  private static let leastVariance: Float = 1e-4

  private let difference: ColorDifference
  private let screen: SIMD3<Float>

  /// A survey of a screen; `nil` for one without hue.
  init?(_ screen: KeyMeasurement) {
    guard let difference = ColorDifference(screen: screen.color.channels) else { return nil }
    self.difference = difference
    self.screen = screen.unclamped
  }

  /// The light on a 4:2:0 picture; `nil` where it is the screen's own colour throughout.
  func surface(of picture: YUV420View) -> ScreenSurface? {
    let (cb, cr) = (picture.cb, picture.cr)
    var samples: [Sample] = []
    Self.visit(PixelSize(width: cb.width, height: cb.height)) { x, y, place in
      let codes = SIMD3(
        Float(picture.luma.row(2 * y)[2 * x]), Float(cb.row(y)[x]), Float(cr.row(y)[x]))
      samples.append(
        Sample(
          place: place, codes: codes,
          color: picture.encoding.rgb(luma: codes.x, cb: codes.y, cr: codes.z)))
    }
    return surface(of: samples, constant: picture.encoding.codes(of: screen))
  }

  /// The light on a picture of RGBA pixels; none on one that has an alpha of its own.
  func surface(of picture: RGBAView) -> ScreenSurface? {
    var samples: [Sample] = []
    var isOpaque = true
    Self.visit(picture.size) { x, y, place in
      let pixel = picture.row(y)[x]
      isOpaque = isOpaque && pixel.w == 255
      let codes = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
      samples.append(Sample(place: place, codes: codes, color: codes / 255))
    }
    return isOpaque ? surface(of: samples, constant: screen * 255) : nil
  }

  private static func visit(
    _ size: PixelSize, _ body: (_ x: Int, _ y: Int, _ place: SIMD2<Float>) -> Void
  ) {
    var step = 1
    while size.area > step * step * target { step += 1 }
    for y in stride(from: step / 2, to: size.height, by: step) {
      for x in stride(from: step / 2, to: size.width, by: step) {
        let place = SIMD2(
          ScreenSurface.coordinate(x, of: size.width), ScreenSurface.coordinate(y, of: size.height))
        body(x, y, place)
      }
    }
  }

  private func surface(of samples: [Sample], constant: SIMD3<Float>) -> ScreenSurface? {
    let candidates = samples.filter(isCandidate).map { ($0, excess($0)) }
    guard !isEven(candidates, constant) else { return nil }
    guard var fit = fitted(candidates.map { ($0.0.place, SIMD3(repeating: $0.1)) }) else {
      return nil
    }
    var screen = candidates
    for _ in 0..<6 {
      screen = candidates.filter { abs($0.1 / max(fit[$0.0.place].x, 1e-3) - 1) < Self.reach }
      // Where too little is near, begin with all that is not below.
      if screen.count < candidates.count / 4 {
        screen = candidates.filter { $0.1 > fit[$0.0.place].x }
      }
      guard let next = fitted(screen.map { ($0.0.place, SIMD3(repeating: $0.1)) }) else {
        return nil
      }
      fit = next
    }
    guard Float(screen.count) >= Self.leastScreen * Float(samples.count) else { return nil }
    guard var surface = fitted(screen.map { ($0.0.place, $0.0.codes) }) else { return nil }
    surface.bound(to: screen.lazy.map(\.0.place))
    let isUneven = surface.range.max() > Self.leastRange || isOff(surface, from: constant, screen)
    return isUneven && isLight(screen.map(\.0)) ? surface : nil
  }

  /// Whether nearly all that could be screen is of its one colour, so that there is nothing to fit.
  private func isEven(_ candidates: [(Sample, Float)], _ constant: SIMD3<Float>) -> Bool {
    let far = candidates.lazy.filter { sample, _ in
      let away = sample.codes - constant
      return max(abs(away.x), abs(away.y), abs(away.z)) > Self.leastRange / 2
    }
    return far.count * 8 < candidates.count
  }

  /// Whether the screen has moved away from the colour that was measured, as when a lamp warms up.
  private func isOff(
    _ surface: ScreenSurface, from constant: SIMD3<Float>, _ screen: [(Sample, Float)]
  ) -> Bool {
    let mean = screen.reduce(SIMD3<Float>.zero) { $0 + surface[$1.0.place] } / Float(screen.count)
    let away = mean - constant
    return max(abs(away.x), abs(away.y), abs(away.z)) > Self.leastRange
  }

  /// Whether what differs is light and not thin smoke: smoke brings the channels that the screen lacks.
  private func isLight(_ screen: [Sample]) -> Bool {
    let strong = difference.isStrong
    let values = screen.map { sample in
      (
        x: excess(sample),
        y: sample.color.replacing(with: 0, where: strong).sum()
          / Float(max(3 - strong.count, 1))
      )
    }
    let count = Float(values.count)
    let (meanX, meanY) = (
      values.reduce(0) { $0 + $1.x } / count, values.reduce(0) { $0 + $1.y } / count
    )
    let (variance, covariance) = values.reduce((Float(0), Float(0))) { sums, value in
      let x = value.x - meanX
      return (sums.0 + x * x, sums.1 + x * (value.y - meanY))
    }
    // Of one that varies by no more than noise, only the whole can have changed.
    return variance < Self.leastVariance * count || covariance > -0.3 * variance
  }

  private func isCandidate(_ sample: Sample) -> Bool {
    let (color, key) = (sample.color, screen)
    let a = ChromaDistance.chroma(red: color.x, green: color.y, blue: color.z)
    let b = ChromaDistance.chroma(red: key.x, green: key.y, blue: key.z)
    let product = a.cr * b.cr + a.cb * b.cb
    let lengths = (a.cr * a.cr + a.cb * a.cb) * (b.cr * b.cr + b.cb * b.cb)
    return product > Self.leastCosine * lengths.squareRoot()
      && excess(sample) > Self.leastShare * difference.excess(red: key.x, green: key.y, blue: key.z)
  }

  private func excess(_ sample: Sample) -> Float {
    difference.excess(red: sample.color.x, green: sample.color.y, blue: sample.color.z)
  }

  private func fitted(_ values: [(place: SIMD2<Float>, value: SIMD3<Float>)]) -> ScreenSurface? {
    guard values.count >= 24 else { return nil }
    var fit = SurfaceFit()
    for (place, value) in values { fit.add(value, at: place) }
    return fit.surface()
  }
}

extension SIMDMask<SIMD3<Int32>> {
  /// How many lanes are set.
  fileprivate var count: Int { (0..<3).reduce(0) { $0 + (self[$1] ? 1 : 0) } }
}
