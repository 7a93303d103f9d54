/// The channels that a screen's colour is made of: red and blue for magenta, green for green.
struct KeyHue {
  /// 0 for a channel of the screen, 2 for another: added, it takes that out of a minimum.
  private let high: SIMD3<Float>
  /// 0 for a channel that the screen lacks, −2 for another.
  private let low: SIMD3<Float>

  init(of key: SIMD3<Float>) {
    let isHigh = key .> (key.max() + key.min()) / 2
    high = SIMD3<Float>.zero.replacing(with: 2, where: .!isHigh)
    low = SIMD3<Float>.zero.replacing(with: -2, where: isHigh)
  }

  /// How far a colour leans to the screen's: its weakest channel of those that the screen has, less
  /// the strongest of the others.
  func excess(of pixel: SIMD4<Float>) -> Float {
    let color = SIMD3(pixel.x, pixel.y, pixel.z)
    return (color + high).min() - (color + low).max()
  }
}
