import Foundation
import Testing

@testable import Imaging

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

  struct Map: Sendable, CustomTestStringConvertible {
    let name: String
    let formula: @Sendable (_ value: Float, _ channel: Int) -> Float

    var testDescription: String { name }
  }

  static let maps = [
    Map(name: "nothing") { value, _ in value },
    Map(name: "a negative of green") { value, channel in channel == 1 ? 1 - value : value },
    Map(name: "shifts") { value, channel in
      min(max(value + [51, -20, 0, 7][channel] / 255, 0), 1)
    },
    Map(name: "lines, clamped, and ties") { value, channel in
      min(max(value * [1.5, 0.5, -2, 1][channel] + [-0.25, 0, 1.2, 0][channel], 0), 1)
    },
    Map(name: "one value") { _, channel in [0.2, 0.4, 0.6, 1][channel] },
    Map(name: "curves, alpha too") { value, channel in value.squareRoot() / Float(channel + 1) },
  ]

  @Test(arguments: maps)
  func `a map of bytes gives the nearest code for every code, however it is computed`(map: Map) {
    let tables = (0..<4).map { channel in
      (0..<256).map { map.formula(Float($0) / 255, channel) }
    }
    // A rest that fills no step.
    var image = RGBAImage(size: PixelSize(width: 259, height: 1)) { _, row in
      for x in 0..<259 { row.append(SIMD4(repeating: UInt8(x % 256)) &+ SIMD4(0, 1, 2, 3)) }
    }
    let before = image.pixels
    do {
      var pixels = image.mutablePixels
      ByteMap(tables).apply(to: &pixels, in: 0..<259)
    }
    for (old, new) in zip(before, image.pixels) {
      for channel in 0..<4 {
        let wanted = (tables[channel][Int(old[channel])] * 255).rounded(.toNearestOrEven)
        #expect(new[channel] == UInt8(wanted))
      }
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
