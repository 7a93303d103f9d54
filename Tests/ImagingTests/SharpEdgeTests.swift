import Imaging
import Testing

/// Edges that end at once, in pictures whose chroma has half the resolution.
struct SharpEdgeTests {
  private static let inks: [SIMD3<Float>] = [SIMD3(0.05, 0.05, 0.09), SIMD3(1, 1, 0.96)]
  /// Among them two that are as bright as the screen.
  private static let fills: [SIMD3<Float>] = [
    SIMD3(0.41, 0.41, 0.41), SIMD3(0.9, 0.2, 0.1), SIMD3(0.2, 0.35, 0.8), SIMD3(0.95, 0.9, 0.75),
    SIMD3(0.2, 0.3, 0.12),
  ]

  /// A disc for each colour in an outline of a width in pixels.
  private func outlined(_ ink: SIMD3<Float>, width: Float) -> TruthScene {
    let size = PixelSize(width: 96 * Self.fills.count, height: 96)
    return TruthScene(size: size) { x, y in
      let index = min(Int(x / 96), Self.fills.count - 1)
      let (dx, dy) = (x - Float(index) * 96 - 47.3, y - 48.2)
      let radius = (dx * dx + dy * dy).squareRoot()
      let coverage = min(max(30 - radius + 0.5, 0), 1)
      let inner = min(max(30 - width - radius + 0.5, 0), 1)
      return (ink + (Self.fills[index] - ink) * inner, coverage)
    }
  }

  @Test(arguments: inks, [1.5, 2.5, 4])
  func `a thin outline is as solid as it is`(ink: SIMD3<Float>, width: Float) throws {
    let scene = outlined(ink, width: width)
    let (image, _) = try Keyer.keyed(scene.planar(.left), KeySettings())
    var (sum, count) = (Float(0), 0)
    for y in 0..<96 {
      for x in 0..<image.width {
        let (dx, dy) = (Float(x % 96) - 46.8, Float(y) - 47.7)
        let radius = (dx * dx + dy * dy).squareRoot()
        let error = abs(Float(image[x, y].w) - 255 * scene.coverage(x, y))
        // What lies inside of the outline is no edge, whatever its colour.
        if radius < 30 - width - 2 { #expect(error == 0, "at \(x), \(y)") }
        guard abs(radius - 30) < 3 else { continue }
        sum += error
        count += 1
      }
    }
    #expect(sum / Float(count) < 8, "\(sum / Float(count)) levels")
  }

  @Test func `an edge of a colour as bright as the screen is left to its hue`() throws {
    let scene = TruthScene.discs([(SIMD3(0.41, 0.41, 0.41), 1), (SIMD3(0.1, 0.55, 0.3), 1)])
    let (image, _) = try Keyer.keyed(scene.planar(.left), KeySettings())
    for y in 0..<96 {
      for x in 0..<image.width where scene.coverage(x, y) == 1 {
        let (dx, dy) = (Float(x % 96) - 47.5, Float(y) - 47.5)
        if (dx * dx + dy * dy).squareRoot() < 28 { #expect(image[x, y].w == 255) }
      }
    }
  }

  @Test(arguments: [SIMD3<Float>(0.06, 0.06, 0.06), SIMD3(1, 1, 1)])
  func `what rises gently is not made hard`(color: SIMD3<Float>) throws {
    let scene = TruthScene.discs([(color, 1)], softness: 12)
    let (image, _) = try Keyer.keyed(scene.planar(.left), KeySettings())
    // Half of the way the edge is between a third and two thirds.
    let ring = image.pixels.indices.filter { index in
      (0.35...0.65).contains(scene.coverage(index % 96, index / 96))
    }
    let isHard = ring.filter { [0, 255].contains(image.pixels[$0].w) }
    #expect(ring.count > 500 && isHard.isEmpty, "\(isHard.count) of \(ring.count)")
  }
}
