import Testing

@testable import MatteTruth

@Suite struct ScoreTests {
  /// Solid on the left half of 40 × 40, empty on the right.
  private let half = picture(side: 40) { x, _ in x < 20 ? 1 : 0 }

  @Test func `the truth itself is without error`() {
    let score = TruthFrame(half).score(half, key: magenta, isFull: true)
    for metric in Metric.allCases where metric != .flicker {
      #expect(score[metric] == 0, "\(metric)")
    }
  }

  @Test func `an error away from edges shows as holes or residue, not in the band`() {
    let spotted = picture(side: 40) { x, y in
      switch (x, y) {
      case (10, 20): 0
      case (30, 20): 0.5
      default: x < 20 ? 1 : 0
      }
    }
    let score = TruthFrame(half).score(spotted, key: magenta)
    // Four pixels from the border and from the other half: 12 × 32 pixels on each side.
    #expect(abs(score[.holes] - 255.0 / 384) < 1e-4)
    #expect(abs(score[.residue] - 127.5 / 384) < 1e-4)
    #expect(score[.edge] == 0)
    #expect(abs(score[.alpha] - 255 * 1.5 / 1600) < 1e-4)
    #expect(abs(score[.sad] - 1.5e-3) < 1e-9)
    #expect(abs(score[.mse] - 1000 * 1.25 / 1600) < 1e-4)
  }

  @Test func `the band of a hard edge is three pixels to each side`() {
    let block = picture(side: 40) { x, y in x >= 10 && x < 30 && y >= 10 && y < 30 ? 1 : 0 }
    let band = TruthFrame(block).band
    #expect((0..<40).filter { band[20 * 40 + $0] } == Array(7..<13) + Array(27..<33))
  }

  @Test func `the band of a partly covered pixel is two pixels round it`() {
    let soft = picture(side: 40) { x, _ in x < 20 ? 0 : x == 20 ? 0.3 : 0 }
    let band = TruthFrame(soft).band
    #expect((0..<40).filter { band[20 * 40 + $0] } == Array(18..<23))
  }

  @Test func `the composite's error is that over each ground`() {
    // White at three quarters where there should be nothing, over all of the picture.
    let empty = picture(side: 40) { _, _ in 0 }
    let veil = picture(side: 40, color: [1, 1, 1]) { _, _ in 0.75 }
    let score = TruthFrame(empty).score(veil, key: magenta)
    // Over black 0.75, over white 0, over the two greys 0.75 of what they lack to white.
    let checker = 0.75 * (0.65 + 0.15) / 2
    let share = 832.0 / 1600  // Of a board of 40, this share is dark: 3 × 3 fields, cut off.
    let exact = 0.75 * (0.65 * share + 0.15 * (1 - share))
    #expect(abs(score[.composite] - 255 * (0.75 + exact) / 3) < 0.01)
    #expect(abs(exact - checker) < 0.02)
  }

  /// Half-covered all over, so that all of it is band.
  private func veil(_ color: SIMD3<Float>) -> MattePicture {
    picture(side: 8, color: color) { _, _ in 0.5 }
  }

  @Test(arguments: [magenta, green])
  func `a tint of the screen is spill and its lack the opposite`(key: SIMD3<Float>) {
    let gray = SIMD3<Float>(0.5, 0.5, 0.5)
    let truth = TruthFrame(veil(gray))
    func score(_ color: SIMD3<Float>) -> Score { truth.score(veil(color), key: key) }
    let (tinted, bleached) = (score(gray + 0.2 * key), score(gray - 0.2 * key))
    #expect(abs(tinted[.spill] - 0.5 * 0.2 * 255) < 1e-3)
    #expect(tinted[.overdespill] == 0)
    #expect(abs(bleached[.overdespill] - 0.5 * 0.2 * 255) < 1e-3)
    #expect(bleached[.spill] == 0)
  }

  @Test func `flicker is the change that the truth does not have`() {
    let truth = TruthFrame(half)
    let weak = picture(side: 40) { x, _ in x < 20 ? 0.5 : 0 }
    func flicker(_ first: MattePicture, _ second: MattePicture) -> Double {
      TruthFrame.flicker(from: first, to: second, truth: truth, nextTruth: truth)
    }
    #expect(flicker(weak, weak) == 0, "an error that stays does not flicker")
    #expect(abs(flicker(weak, half) - 1000 * 0.125.squareRoot()) < 1e-3)
  }

  @Test func `a mean leaves out what was not measured`() {
    var (one, other) = (Score(), Score())
    (one[.edge], other[.edge]) = (1, 2)
    one[.gradient] = 5
    let mean = Score(meanOf: [one, other])
    #expect(mean[.edge] == 1.5)
    #expect(mean[.gradient] == 5)
    #expect(mean[.holes].isNaN)
  }
}
