/// The rule that gives a colour its alpha.
struct MatteRule: Hashable, Sendable {
  private let distances: [ChromaDistance]
  private let ramp: KeyRamp

  /// The rule of a plan: the smooth step over the distance from the nearest screen.
  init(_ plan: KeyPlan) {
    distances = plan.screens.map { ChromaDistance(from: $0.color.channels) }
    ramp = KeyRamp(
      threshold: plan.settings.threshold ?? 0.15, smoothing: plan.settings.smoothing ?? 0.3)
  }

  /// The alpha of a colour, rounded to 8 bits.
  func alpha(of rgb: SIMD3<Float>) -> UInt8 {
    let distance = distances.reduce(Float.infinity) { nearest, distance in
      min(nearest, distance(red: rgb.x, green: rgb.y, blue: rgb.z))
    }
    return UInt8(ramp.coverage(at: distance) * 255 + 0.5)
  }

  /// Multiplies the alpha of a row of RGBA pixels by the rule's and writes it out.
  func apply(to row: Span<SIMD4<UInt8>>, into output: inout [UInt8]) {
    var alpha = output.mutableSpan
    precondition(alpha.count == row.count, "rows must agree")
    for x in row.indices {
      let pixel = row[x]
      let rgb = SIMD3<Float>(Float(pixel.x), Float(pixel.y), Float(pixel.z)) * (1 / 255)
      let own = UInt16(self.alpha(of: rgb))
      alpha[x] = UInt8((own * UInt16(pixel.w) + 127) / 255)
    }
  }
}
