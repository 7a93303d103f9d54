import Foundation
import Imaging
import TestSupport
import Testing

/// Blurs and shapes against the plain formulas, in doubles, on pictures of odd sizes.
@Suite struct BlurReferenceTests {
  static let sizes = [
    PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 37),
    PixelSize(width: 53, height: 1), PixelSize(width: 7, height: 11),
    PixelSize(width: 41, height: 30),
  ]

  @Test(arguments: sizes, [0, 1, 2, 3, 6, 8, 10, 20, 50, 90, 102])
  func `a Gaussian blur weighs by its bell`(size: PixelSize, sigma: Int) throws {
    let image = Self.noise(size)
    let made = try Self.filtered(
      image, "gaussian-blur", ["blurRadiusInPixels": .number(Double(sigma))])
    let wanted = Self.blurred(image, Self.bell(sigma: sigma))
    // One step for bytes between the passes, one for a bell drawn with lines.
    #expect(Self.greatestDifference(made, wanted) <= 2)
    #expect(Self.meanDifference(made, wanted) < 0.12)
  }

  @Test(arguments: sizes, [0, 1, 2, 4, 5, 16, 63, 300])
  func `a box blur makes pixels the mean of a square`(size: PixelSize, radius: Int) throws {
    let image = Self.noise(size)
    let made = try Self.filtered(
      image, "box-blur", ["blurRadiusInPixels": .number(Double(radius))])
    let even = (radius + 1) / 2 * 2
    let wanted = Self.blurred(image, [Double](repeating: 1, count: even + 1))
    #expect(Self.greatestDifference(made, wanted) <= 1)
    #expect(Self.meanDifference(made, wanted) < 0.02)
  }

  @Test(arguments: sizes, [1, 2, 3, 4])
  func `a dilation makes pixels the greatest of a square`(size: PixelSize, radius: Int) throws {
    let image = Self.noise(size)
    let made = try Self.filtered(image, "rgb-dilation", ["radius": .number(Double(radius))])
    let gray = try Self.filtered(image, "dilation", ["radius": .number(Double(radius))])
    let eroded = try Self.filtered(image, "rgb-erosion", ["radius": .number(Double(radius))])
    for y in 0..<size.height {
      for x in 0..<size.width {
        var (greatest, least) = (image[x, y], image[x, y])
        for dy in -radius...radius {
          for dx in -radius...radius {
            let pixel = Self.pixel(image, x + dx, y + dy)
            greatest.replace(with: pixel, where: pixel .> greatest)
            least.replace(with: pixel, where: pixel .< least)
          }
        }
        (greatest.w, least.w) = (image[x, y].w, image[x, y].w)
        #expect(made[x, y] == greatest)
        #expect(eroded[x, y] == least)
        #expect(gray[x, y] == SIMD4(greatest.x, greatest.x, greatest.x, 255))
      }
    }
  }

  @Test(arguments: [1, 2, 5, 8, 16, 50, 102])
  func `a blur leaves an even colour as it is`(sigma: Int) throws {
    for code in stride(from: 0, through: 255, by: 5) {
      let color = SIMD4(UInt8(code), UInt8(255 - code), 7, UInt8(code ^ 129))
      let image = RGBAImage(size: PixelSize(width: 19, height: 3)) { _, row in
        for _ in 0..<19 { row.append(color) }
      }
      let made = try Self.filtered(
        image, "gaussian-blur", ["blurRadiusInPixels": .number(Double(sigma))])
      #expect(made.pixels.allSatisfy { $0 == color })
    }
  }

  // MARK: - Plain versions

  private static func filtered(
    _ image: RGBAImage, _ name: String, _ parameters: [String: FilterValue]
  ) throws -> RGBAImage {
    FilterChain([try FilterStep(name, parameters)]).apply(to: image)
  }

  private static func noise(_ size: PixelSize) -> RGBAImage {
    var random = SeededRandom(seed: UInt64(size.width * 1000 + size.height))
    return RGBAImage(size: size) { _, row in
      for _ in 0..<size.width {
        row.append(SIMD4<UInt8>.random(in: 0...255, using: &random))
      }
    }
  }

  /// The pixel of a place, or the nearest where it is outside.
  private static func pixel(_ image: RGBAImage, _ x: Int, _ y: Int) -> SIMD4<UInt8> {
    image[min(max(x, 0), image.size.width - 1), min(max(y, 0), image.size.height - 1)]
  }

  /// The weights of the distances 0, 1, …, of any sum.
  private static func bell(sigma: Int) -> [Double] {
    guard sigma > 0 else { return [1] }
    let sigma = Double(sigma)
    var radius = 4
    if sigma != 2 {
      radius = Int(
        (-2 * sigma * sigma * log((2 * Double.pi).squareRoot() * sigma / 256)).squareRoot())
      radius += radius % 2
    }
    return (0...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
  }

  /// Down, rounded, and along, rounded.
  private static func blurred(_ image: RGBAImage, _ weights: [Double]) -> RGBAImage {
    func pass(_ image: RGBAImage, _ dx: Int, _ dy: Int) -> RGBAImage {
      let total = 2 * weights.reduce(0, +) - weights[0]
      return RGBAImage(size: image.size) { y, row in
        for x in 0..<image.size.width {
          var sum = SIMD4<Double>.zero
          for (distance, weight) in weights.enumerated() {
            for side in distance == 0 ? [1] : [-1, 1] {
              let offset = side * distance
              sum += weight * SIMD4<Double>(pixel(image, x + offset * dx, y + offset * dy))
            }
          }
          row.append(SIMD4<UInt8>((sum / total).rounded(.toNearestOrEven)))
        }
      }
    }
    return pass(pass(image, 0, 1), 1, 0)
  }

  private static func differences(_ a: RGBAImage, _ b: RGBAImage) -> [Int] {
    zip(a.pixels, b.pixels).flatMap { a, b in (0..<4).map { abs(Int(a[$0]) - Int(b[$0])) } }
  }

  private static func greatestDifference(_ a: RGBAImage, _ b: RGBAImage) -> Int {
    differences(a, b).max() ?? 0
  }

  private static func meanDifference(_ a: RGBAImage, _ b: RGBAImage) -> Double {
    let differences = differences(a, b)
    return Double(differences.reduce(0, +)) / Double(differences.count)
  }
}
