/// A map of one channel, as the values that the 256 codes take.
struct ChannelCurve: Hashable, Sendable {
  /// The value 0…1 of each code.
  let values: [Float]

  /// The straight line.
  static let identity = ChannelCurve(values: (0...255).map { Float($0) / 255 })

  /// This curve and then another, each clamped to 0…1 and rounded to 8 bits as the shaders' passes
  /// are; NaN becomes 0.
  func followed(by curve: (Float) -> Float) -> ChannelCurve {
    ChannelCurve(
      values: values.map {
        (clampedToUnit(curve($0)) * 255).rounded(.toNearestOrEven) / 255
      })
  }
}
