import Foundation
import Testing

@testable import Imaging

@Suite struct LaneMathTests {
  /// The greatest relative difference of a function of lanes from one of doubles, over a range.
  private func error(
    in range: ClosedRange<Float>, of lanes: (Lanes) -> Lanes, from exact: (Double) -> Double
  ) -> Double {
    var greatest = 0.0
    for sample in 0...4000 {
      let x = range.lowerBound + (range.upperBound - range.lowerBound) * Float(sample) / 4000
      let wanted = exact(Double(x))
      let difference = abs(Double(lanes(Lanes(x)).values[sample % 8]) - wanted)
      greatest = max(greatest, difference / max(1, abs(wanted)))
    }
    return greatest
  }

  @Test func `powers and logarithms are those of the C library`() {
    #expect(error(in: -20...20, of: \.exponential2, from: exp2) < 4e-7)
    #expect(error(in: 1e-6...300, of: \.logarithm2, from: log2) < 4e-7)
    #expect(error(in: 0...1, of: { $0.power(0.45) }, from: { pow($0, 0.45) }) < 1e-6)
    #expect(error(in: 0...1, of: { $0.power(2.2) }, from: { pow($0, 2.2) }) < 1e-6)
    #expect(Lanes(0).power(0.5).values == .zero)
  }

  @Test func `angles are those of the C library`() {
    #expect(error(in: -50...50, of: { $0.sineAndCosine.sine }, from: sin) < 2e-6)
    #expect(error(in: -50...50, of: { $0.sineAndCosine.cosine }, from: cos) < 2e-6)
    for x: Float in [-1, -0.3, 0.7] {
      #expect(
        error(in: -2...2, of: { $0.angle(over: Lanes(x)) }, from: { atan2($0, Double(x)) }) < 1e-6)
    }
  }

  @Test func `whole parts, roots and clamping are exact`() {
    for value: Float in [-2.5, -2, -0.5, -0.1, 0, 0.4, 0.5, 1, 1.5, 254.5, 70_000.25] {
      #expect(Lanes(value).floor.values[0] == value.rounded(.down))
      #expect(Lanes(value).rounded.values[7] == value.rounded(.toNearestOrEven))
      #expect(Lanes(value).clampedToUnit.values[3] == min(max(value, 0), 1))
      #expect(Lanes(abs(value)).squareRoot.values[2] == abs(value).squareRoot())
    }
    #expect(Lanes(.nan).clampedToUnit.values[0] == 0)
    #expect(Lanes(.infinity).clampedToUnit.values[0] == 1)
    #expect(Lanes(-.infinity).clampedToUnit.values[0] == 0)
  }

  @Test func `blocks become pixels with what is no colour clamped`() {
    let numbers: [(Float, UInt32)] = [
      (.nan, 0), (.infinity, 255), (-.infinity, 0), (-0.1, 0), (1.1, 255), (1e30, 255), (-1e30, 0),
      (0.5 / 255, 0), (1.5 / 255, 2), (0.2, 51),
    ]
    for (number, code) in numbers {
      let block = ColorBlock(SIMD4(number, 0.2, number, number))
      let word = code | 51 << 8 | code << 16 | code << 24
      #expect(block.words == SIMD8(repeating: word), "\(number)")
    }
  }

  @Test func `pixels become blocks and blocks pixels without a change`() {
    for start in stride(from: UInt32(0), to: 256, by: 8) {
      let codes = SIMD8<UInt32>(0, 1, 2, 3, 4, 5, 6, 7) &+ start
      let words = codes | codes &<< 8 | codes &<< 16 | codes &<< 24
      #expect(ColorBlock(words: words).words == words)
    }
  }
}
