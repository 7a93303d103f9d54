import Foundation
import Imaging
import TestSupport
import Testing

/// Blends against the plain formulas, in doubles: over all pairs of codes where both pictures are
/// opaque, and over a spread of colours and alphas.
@Suite struct BlendReferenceTests {
  /// A channel of both pictures and their alphas: b, B, o, O of the formulas.
  struct Pair {
    let b: Double
    let bAlpha: Double
    let o: Double
    let oAlpha: Double

    /// What each shows where the other is transparent.
    var rest: Double { o * (1 - bAlpha) + b * (1 - oAlpha) }
    var bothAlpha: Double { oAlpha * bAlpha }
    var unionAlpha: Double { oAlpha + bAlpha - oAlpha * bAlpha }

    /// What hard light and overlay give where the one or the other is light.
    var lightened: Double { bothAlpha - 2 * (bAlpha - b) * (oAlpha - o) + rest }
  }

  /// A blend of each channel by itself.
  struct Blend: Sendable, CustomTestStringConvertible {
    let filter: String
    var parameters: [String: FilterValue] = [:]
    /// Alpha of the result; `nil` where it follows the formula of the channels.
    let alpha: (@Sendable (Pair) -> Double)?
    let channel: @Sendable (Pair) -> Double

    var testDescription: String { "\(filter) \(parameters)" }
  }

  static let blends: [Blend] = lightBlends + contrastBlends + mixes

  static let mixes: [Blend] = [0, 0.5, 1].flatMap { (share: Double) -> [Blend] in
    let parameters: [String: FilterValue] = ["mix": .number(share)]
    return [
      Blend(filter: "blend-alpha", parameters: parameters, alpha: { $0.bAlpha }) { pair in
        pair.b + (pair.o - pair.b) * pair.oAlpha * share
      },
      Blend(filter: "blend-dissolve", parameters: parameters, alpha: nil) { pair in
        pair.b + (pair.o - pair.b) * share
      },
    ]
  }

  static let lightBlends: [Blend] = [
    Blend(filter: "blend-source-over", alpha: nil) { $0.b + ($0.o - $0.b) * $0.oAlpha },
    Blend(filter: "blend-normal", alpha: { $0.unionAlpha }) {
      let sum = $0.o * $0.oAlpha + $0.b * $0.bAlpha * (1 - $0.oAlpha)
      return $0.unionAlpha == 0 ? 0 : sum / $0.unionAlpha
    },
    Blend(filter: "blend-add", alpha: { $0.unionAlpha }) {
      $0.o * $0.bAlpha + $0.b * $0.oAlpha >= $0.bothAlpha ? $0.bothAlpha + $0.rest : $0.o + $0.b
    },
    Blend(filter: "blend-subtract", alpha: { $0.bAlpha }) { $0.b - $0.o },
    Blend(filter: "blend-difference", alpha: { $0.bAlpha }) { abs($0.o - $0.b) },
    Blend(filter: "blend-exclusion", alpha: { $0.bAlpha }) {
      $0.o * $0.bAlpha + $0.b * $0.oAlpha - 2 * $0.b * $0.o + $0.rest
    },
    Blend(filter: "blend-multiply", alpha: nil) { $0.o * $0.b + $0.rest },
    Blend(filter: "blend-divide", alpha: { $0.unionAlpha }) {
      if $0.oAlpha == 0 || $0.b / $0.o > $0.bAlpha / $0.oAlpha { return $0.bothAlpha + $0.rest }
      return $0.b * $0.oAlpha * $0.oAlpha / $0.o + $0.rest
    },
    Blend(filter: "blend-screen", alpha: nil) { 1 - (1 - $0.o) * (1 - $0.b) },
    Blend(filter: "blend-lighten", alpha: nil) { max($0.b, $0.o) },
    Blend(filter: "blend-darken", alpha: { _ in 1 }) {
      min($0.o * $0.bAlpha, $0.b * $0.oAlpha) + $0.rest
    },
    Blend(filter: "blend-linear-burn", alpha: { $0.bAlpha }) { $0.b + $0.o - 1 },
  ]

  static let contrastBlends: [Blend] = [
    Blend(filter: "blend-color-burn", alpha: nil) { $0.o == 0 ? 0 : 1 - (1 - $0.b) / $0.o },
    Blend(filter: "blend-color-dodge", alpha: { _ in 1 }) {
      let straight = min($0.o / max($0.oAlpha, 0.01), 0.99)
      return $0.o * $0.bAlpha + $0.b * $0.oAlpha <= $0.bothAlpha
        ? $0.b * $0.oAlpha / (1 - straight) + $0.rest : $0.bothAlpha + $0.rest
    },
    Blend(filter: "blend-overlay", alpha: { _ in 1 }) {
      2 * $0.b < $0.bAlpha
        ? 2 * $0.o * $0.b + $0.rest : $0.lightened
    },
    Blend(filter: "blend-hard-light", alpha: { _ in 1 }) {
      2 * $0.o < $0.oAlpha
        ? 2 * $0.o * $0.b + $0.rest : $0.lightened
    },
    Blend(filter: "blend-soft-light", alpha: nil) {
      let share = $0.bAlpha == 0 ? $0.b : $0.b / $0.bAlpha
      return $0.b * ($0.oAlpha * share + 2 * $0.o * (1 - share)) + $0.rest
    },
  ]

  @Test(arguments: blends)
  func `a blend maps every pair of opaque codes by its formula`(blend: Blend) throws {
    let size = PixelSize(width: 256, height: 256)
    let base = RGBAImage(size: size) { y, row in
      for x in 0..<256 { row.append(SIMD4(UInt8(x), UInt8(y), UInt8(x ^ y), 255)) }
    }
    let overlay = RGBAImage(size: size) { y, row in
      for x in 0..<256 { row.append(SIMD4(UInt8(y), UInt8(x), UInt8(255 - x), 255)) }
    }
    try expect(blend, base, overlay)
  }

  @Test(arguments: blends)
  func `a blend maps colours with alpha by its formula`(blend: Blend) throws {
    // An odd width, so that rows end in part of a block.
    let size = PixelSize(width: 203, height: 199)
    var random = SeededRandom(seed: 5)
    func picture() -> RGBAImage {
      RGBAImage(size: size) { _, row in
        for x in 0..<size.width {
          let alpha = x % 4 == 0 ? [0, 255][x / 4 % 2] : random.byte()
          row.append(SIMD4(random.byte(), random.byte(), random.byte(), alpha))
        }
      }
    }
    try expect(blend, picture(), picture())
  }

  private func expect(_ blend: Blend, _ base: RGBAImage, _ overlay: RGBAImage) throws {
    let step = try FilterStep(blend.filter, blend.parameters, pictures: ["other"])
    let result = FilterChain([step], picture: { _ in overlay }).apply(to: base)
    var worst = 0.0
    for (index, made) in result.pixels.enumerated() {
      let (b, o) = (base.pixels[index], overlay.pixels[index])
      let alphas = (Double(b.w) / 255, Double(o.w) / 255)
      for channel in 0..<4 {
        let pair = Pair(
          b: Double(b[channel]) / 255, bAlpha: alphas.0, o: Double(o[channel]) / 255,
          oAlpha: alphas.1)
        let formula = channel < 3 ? blend.channel : blend.alpha ?? blend.channel
        let value = formula(pair)
        let wanted = value.isNaN ? 0 : min(max(value, 0), 1) * 255
        worst = max(worst, abs(Double(made[channel]) - wanted))
      }
    }
    // Half a step, and what floats may add where a code falls on a tie.
    #expect(worst < 0.501)
  }
}
