/// Colours taken from a grid over a picture, those near its border marked.
struct KeySamples {
  private var samples: [Sample] = []
  private var transparentCount = 0
  private var transparentBorderCount = 0

  private struct Sample {
    let color: SIMD3<Float>
    let chroma: SIMD2<Float>
    let isBorder: Bool
  }

  /// About how many samples are taken: enough to see a screen that fills a hundredth of the picture.
  private static let target = 160 * 120

  /// Samples a 4:2:0 picture where its chroma samples are, outside a mask.
  init(_ picture: YUV420View, outside mask: KeyMask = .none) {
    let (cb, cr) = (picture.cb, picture.cr)
    visit(PixelSize(width: cb.width, height: cb.height), outside: mask) { x, y in
      picture.encoding.rgb(
        luma: Float(picture.luma.row(2 * y)[2 * x]), cb: Float(cb.row(y)[x]),
        cr: Float(cr.row(y)[x]))
    }
  }

  /// Samples a picture of RGBA pixels outside a mask; transparent ones are left out.
  init(_ picture: RGBAView, outside mask: KeyMask = .none) {
    visit(picture.size, outside: mask) { x, y in
      let pixel = picture.row(y)[x]
      return pixel.w < 128
        ? nil : SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z)) * (1 / 255)
    }
  }

  /// Whether a fifth of the picture or more is transparent already.
  var isTransparent: Bool { transparentCount * 4 >= samples.count && transparentCount > 0 }

  /// Takes the colours at the points of a grid.
  private mutating func visit(
    _ size: PixelSize, outside mask: KeyMask, _ color: (Int, Int) -> SIMD3<Float>?
  ) {
    let masked = mask.plane?.resized(to: size)
    var step = 1
    while size.area > step * step * Self.target { step += 1 }
    // An eighth of the shorter side is mostly screen even where a figure stands on the lower edge.
    let margin = max(1, min(size.width, size.height) / 8)
    for y in stride(from: 0, to: size.height, by: step) {
      let isEdgeRow = y < margin || y >= size.height - margin
      for x in stride(from: 0, to: size.width, by: step) {
        if let masked, masked.row(y)[x] >= 128 { continue }
        let isBorder = isEdgeRow || x < margin || x >= size.width - margin
        guard let color = color(x, y) else {
          transparentCount += 1
          if isBorder { transparentBorderCount += 1 }
          continue
        }
        let chroma = ChromaDistance.chroma(red: color.x, green: color.y, blue: color.z)
        samples.append(
          Sample(color: color, chroma: SIMD2(chroma.cr, chroma.cb), isBorder: isBorder))
      }
    }
  }
}

extension KeySamples {
  /// How far from grey a screen's chroma is at least, for one that nobody named.
  private static let leastChroma: Float = 0.15
  /// How far a screen's chroma may be from the named colour's, in itself and as a share of the name's.
  ///
  /// Codecs, lamps and a wrong matrix move it by less. Around a dull name everything else is dull too.
  private static let namedReach: (least: Float, most: Float, share: Float) = (0.06, 0.2, 0.6)
  /// How far from grey a name is at least that has a hue, and how far a screen without one may be from
  /// the luma of its name.
  private static let neutral: (chroma: Float, luma: Float) = (0.05, 0.2)
  /// The share of the border that a screen has at least where much of the picture is transparent.
  private static let leastBesideTransparency: Float = 0.6
  /// The radius in which samples count as one screen when its middle is looked for.
  private static let radius: Float = 0.08
  /// The radius in which they count as screen once it is found: uneven light draws it out.
  private static let reach: Float = 0.15

  /// The share of the border, or of the picture, below which a colour is a detail of the subject.
  static let detail: Float = 0.05

  /// The screen whose colour stands out most, or most of those near a named one; `nil` for none.
  ///
  /// The densest place of the chroma histogram, in which the border counts four times, then the mean
  /// of what lies around it (a few steps of mean shift). A dull colour is a screen where most of the
  /// border has it.
  func screen(near named: RGBColor? = nil) -> KeyMeasurement? {
    if let named {
      let place = ChromaDistance.chroma(red: named.red, green: named.green, blue: named.blue)
      let wanted = SIMD2(place.cr, place.cb)
      let (least, most, share) = Self.namedReach
      let reach = min(max(share * length(wanted), least), most)
      var alike = samples
      if length(wanted) < Self.neutral.chroma {
        let luma = Self.luma(of: named.channels)
        alike.removeAll { abs(Self.luma(of: $0.color) - luma) > Self.neutral.luma }
      }
      let near = alike.filter { length($0.chroma - wanted) < reach }
      return screen(among: near, of: alike, leastBorder: 0, scale: 1)
    }
    let strong = samples.filter { length($0.chroma) > Self.leastChroma }
    if let found = screen(among: strong, of: samples, leastBorder: 0.25, scale: 1) { return found }
    let dull = samples.filter { length($0.chroma) > Self.leastChroma / 2 }
    return screen(among: dull, of: samples, leastBorder: 0.6, scale: 0.5)
  }

  private func screen(
    among candidates: [Sample], of all: [Sample], leastBorder: Float, scale: Float
  ) -> KeyMeasurement? {
    guard var middle = densestChroma(of: candidates) else { return nil }
    for _ in 0..<4 {
      let near = candidates.filter { length($0.chroma - middle) < Self.radius * scale }
      guard !near.isEmpty else { break }
      middle = near.reduce(.zero) { $0 + $1.chroma } / Float(near.count)
    }
    return measurement(around: middle, among: all, leastBorder: leastBorder, scale: scale)
  }

  /// The middle of the histogram's fullest 3 × 3 bins.
  private func densestChroma(of candidates: [Sample]) -> SIMD2<Float>? {
    guard !candidates.isEmpty else { return nil }
    let bins = 64
    var histogram = [Int](repeating: 0, count: bins * bins)
    for sample in candidates {
      // Chroma lies in ±0.5, a little beyond where codes stand for no colour.
      let place = ((sample.chroma + 0.6) * (Float(bins) / 1.2))
        .clamped(lowerBound: .init(repeating: 1), upperBound: .init(repeating: Float(bins - 2)))
      let (column, row) = (Int(place.x), Int(place.y))
      for y in row - 1...row + 1 {
        for x in column - 1...column + 1 { histogram[y * bins + x] += sample.isBorder ? 4 : 1 }
      }
    }
    guard let fullest = histogram.indices.max(by: { histogram[$0] < histogram[$1] })
    else { return nil }
    let place = SIMD2(Float(fullest % bins), Float(fullest / bins))
    return (place + 0.5) * (1.2 / Float(bins)) - 0.6
  }

  /// What is to be said of the screen around a chroma; `nil` where too little is there to be one.
  private func measurement(
    around middle: SIMD2<Float>, among candidates: [Sample], leastBorder: Float, scale: Float
  ) -> KeyMeasurement? {
    let core = candidates.filter { length($0.chroma - middle) < Self.radius * scale }
    let screen = candidates.filter { length($0.chroma - middle) < Self.reach * scale }
    guard !core.isEmpty else { return nil }
    let border = Float(max(samples.lazy.filter(\.isBorder).count + transparentBorderCount, 1))
    func borderShare(_ part: [Sample]) -> Float {
      Float(part.lazy.filter(\.isBorder).count) / border
    }
    let all = Float(samples.count + transparentCount)
    // What is left of a picture whose surroundings are transparent is its subject.
    let isScreen =
      isTransparent && leastBorder > 0
      ? borderShare(core) >= Self.leastBesideTransparency
      : borderShare(core) >= leastBorder || Float(core.count) >= 2 * leastBorder * all
    guard isScreen else { return nil }
    let squares = screen.reduce(Float(0)) { sum, sample in
      let away = length(sample.chroma - middle)
      return sum + away * away
    }
    // Smoke and soft shadows lie to one side of the screen; a mean would be drawn to them.
    let color = SIMD3(
      Self.median(core.map { $0.color.x }), Self.median(core.map { $0.color.y }),
      Self.median(core.map { $0.color.z }))
    let place = ChromaDistance.chroma(red: color.x, green: color.y, blue: color.z)
    let chroma = SIMD2(place.cr, place.cb)
    var result = KeyMeasurement(
      unclamped: color, noise: Self.median(core.map { length($0.chroma - chroma) }),
      spread: (squares / Float(screen.count)).squareRoot(), borderShare: borderShare(screen))
    // A few pixels near a named colour are a detail of the subject.
    result.isFound =
      borderShare(core) >= Self.detail || Float(core.count) >= Self.detail * all
    return result
  }

  /// The luma of a colour, by the weights of ``ChromaDistance``.
  private static func luma(of color: SIMD3<Float>) -> Float {
    (color * SIMD3(0.2989, 0.5866, 0.1145)).sum()
  }

  private static func median(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }

  private func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }
}
