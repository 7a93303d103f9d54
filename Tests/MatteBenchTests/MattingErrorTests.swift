import Testing

@testable import MatteTruth

@Suite struct MattingErrorTests {
  @Test func `an island that the truth lacks is not connected`() {
    let truth = (0..<100).map { Float($0 % 10 < 5 ? 1 : 0) }
    var matte = truth
    matte[55] = 1
    #expect(connectivityError(of: matte, from: truth, width: 10) == 0.001)
  }

  @Test func `a weak error is not one of connectivity`() {
    let truth = (0..<100).map { Float($0 % 10 < 5 ? 1 : 0) }
    let matte = truth.map { $0 == 1 ? 0.9 : Float(0.1) }
    #expect(connectivityError(of: matte, from: truth, width: 10) == 0)
  }

  @Test func `only the largest of two areas counts as connected`() {
    // Two columns that do not touch: five wide and one wide, the same in both mattes.
    let both = (0..<100).map { Float($0 % 10 < 5 || $0 % 10 == 8 ? 1 : 0) }
    var matte = both
    for row in 0..<10 { matte[row * 10 + 8] = 0.5 }
    // Both lie outside the large area from the lowest level on: each pixel errs by what it lacks.
    #expect(abs(connectivityError(of: matte, from: both, width: 10) - 0.005) < 1e-6)
  }

  @Test func `the gradient of a step is the height of its Gaussian`() {
    let step = (0..<900).map { Float($0 % 30 < 15 ? 0 : 1) }
    let empty = [Float](repeating: 0, count: 900)
    // Along a row the squares of a Gaussian of deviation s sum up to 1 / (2 √π s).
    let expected = 30 / (2 * Double.pi.squareRoot() * 1.4) / 1000
    #expect(abs(gradientError(of: step, from: empty, width: 30) - expected) < 0.03 * expected)
    #expect(gradientError(of: step, from: step, width: 30) == 0)
  }
}
