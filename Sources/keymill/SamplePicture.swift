import Imaging

/// A picture for previews where none is given: a sky, a sun, hills and a row of colours.
enum SamplePicture {
  /// Draws it as large as a cap allows, three to two.
  static func make(under cap: PixelSize) -> RGBAImage {
    let size = PixelSize(width: 1536, height: 1024).fitted(under: cap)
    return RGBAImage(size: size) { y, row in
      for x in 0..<size.width {
        let place = SIMD2(Float(x) / Float(size.width), Float(y) / Float(size.height))
        let code = (color(at: place) * 255).rounded(.toNearestOrEven)
        row.append(SIMD4(SIMD3<UInt8>(code), 255))
      }
    }
  }

  private static func color(at place: SIMD2<Float>) -> SIMD3<Float> {
    let (x, y) = (place.x, place.y)
    if y > 0.88 { return patches[min(Int(x * Float(patches.count)), patches.count - 1)] }
    let near = 0.72 - 0.5 * (x - 0.25) * (x - 0.25)
    if y > near { return mix(SIMD3(0.2, 0.38, 0.16), SIMD3(0.08, 0.2, 0.1), (y - near) * 4) }
    let far = 0.62 - 0.9 * (x - 0.8) * (x - 0.8)
    if y > far { return mix(SIMD3(0.35, 0.42, 0.5), SIMD3(0.26, 0.36, 0.3), (y - far) * 3) }
    let sun = SIMD2((x - 0.3) * 1.5, y - 0.3)
    let distance = (sun * sun).sum().squareRoot()
    let sky = mix(SIMD3(0.3, 0.5, 0.8), SIMD3(0.95, 0.75, 0.55), y * 1.5)
    return mix(SIMD3(1, 0.95, 0.8), sky, distance * 8 - 0.6)
  }

  private static let patches: [SIMD3<Float>] = [
    SIMD3(0.8, 0.1, 0.1), SIMD3(0.9, 0.6, 0.1), SIMD3(0.9, 0.9, 0.2), SIMD3(0.1, 0.6, 0.2),
    SIMD3(0.1, 0.6, 0.7), SIMD3(0.1, 0.2, 0.7), SIMD3(0.6, 0.2, 0.7), SIMD3(0.9, 0.75, 0.65),
    SIMD3(0.05, 0.05, 0.05), SIMD3(0.35, 0.35, 0.35), SIMD3(0.65, 0.65, 0.65), SIMD3(1, 1, 1),
  ]

  private static func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ share: Float) -> SIMD3<Float> {
    let share = min(max(share, 0), 1)
    return a * (1 - share) + b * share
  }
}
