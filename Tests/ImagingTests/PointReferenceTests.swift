import Foundation
import Imaging
import Testing

/// Filters against the plain formulas, in doubles, over all codes.
@Suite struct PointReferenceTests {
  struct Curve: Sendable, CustomTestStringConvertible {
    let filter: String
    let parameters: [String: FilterValue]
    let formula: @Sendable (Double) -> Double

    var testDescription: String { "\(filter) \(parameters)" }
  }

  static let curves: [Curve] =
    [0, 0.4, 1, 1.5, 4].map { k in
      Curve(filter: "contrast", parameters: ["contrast": .number(k)]) { ($0 - 0.5) * k + 0.5 }
    }
    + [0.2, 1, 2.2, 3].map { k in
      Curve(filter: "gamma", parameters: ["gamma": .number(k)]) { pow($0, k) }
    }
    + [-1, -0.3, 0.5].map { k in
      Curve(filter: "brightness", parameters: ["brightness": .number(k)]) { $0 + k }
    }
    + [-10, -1.5, 0.7, 10].map { k in
      Curve(filter: "exposure", parameters: ["exposure": .number(k)]) { $0 * exp2(k) }
    }
    + [1, 4, 7, 256].map { k in
      Curve(filter: "posterize", parameters: ["colorLevels": .number(k)]) {
        ($0 * k + 0.5).rounded(.down) / k
      }
    } + [
      Curve(filter: "color-invert", parameters: [:]) { 1 - $0 },
      Curve(
        filter: "levels",
        parameters: [
          "min": [0.2, 0.2, 0.2], "gamma": [1.3, 1.3, 1.3], "max": [0.8, 0.8, 0.8],
          "minOut": [0.1, 0.1, 0.1], "maxOut": [0.7, 0.7, 0.7],
        ]
      ) { 0.1 + 0.6 * pow(min(max($0 - 0.2, 0) / 0.6, 1), 1 / 1.3) },
    ]

  @Test(arguments: curves)
  func `a curve maps every code by its formula`(curve: Curve) throws {
    let image = RGBAImage(size: PixelSize(width: 256, height: 1)) { _, row in
      for x in 0..<256 { row.append(SIMD4(UInt8(x), UInt8(255 - x), UInt8(x ^ 85), 255)) }
    }
    let chain = FilterChain([try FilterStep(curve.filter, curve.parameters)])
    for (pixel, made) in zip(image.pixels, chain.apply(to: image).pixels) {
      for channel in 0..<3 {
        let wanted = min(max(curve.formula(Double(pixel[channel]) / 255), 0), 1) * 255
        // Half a step, and what floats may add where a code falls on a tie.
        #expect(abs(Double(made[channel]) - wanted) < 0.501)
      }
      #expect(made.w == 255)
    }
  }

  @Test func `a tone curve's default moves no code by more than the texture's half pixel`() throws {
    let image = RGBAImage(size: PixelSize(width: 256, height: 1)) { _, row in
      for x in 0..<256 { row.append(SIMD4(repeating: UInt8(x))) }
    }
    let result = FilterChain([try FilterStep("tone-curve")]).apply(to: image)
    for (pixel, made) in zip(image.pixels, result.pixels) {
      #expect(abs(Int(pixel.x) - Int(made.x)) <= 1)
    }
  }
}
