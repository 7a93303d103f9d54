import Glibc
import Testing

@testable import MatteTruth

@Suite struct FormulaTests {
  private let gray = SIMD3<Float>(0.5, 0.5, 0.5)

  private func alpha(_ formula: any FormulaKeyer, _ color: SIMD3<Float>) -> Float {
    formula.matte(of: flat(color), key: magenta).pixels[5].w
  }

  @Test func `every formula makes the screen empty and green solid`() {
    let formulas: [any FormulaKeyer] = [
      GPUImageFormula(threshold: 0.15, smoothing: 0.3),
      OBSFormula(similarity: 0.1, smoothness: 0.3, spill: 0.3),
      ColorDifferenceFormula(black: 0.03, white: 0.97),
    ]
    for formula in formulas {
      #expect(alpha(formula, magenta) == 0)
      #expect(alpha(formula, green) == 1)
    }
  }

  @Test func `GPUImage's ramp is a smoothstep over the distance in Cr and Cb`() {
    // Grey lies √((0.7132 · 0.5866)² + (0.5647 · 0.5866)²) = 0.5336 from magenta; the sum of luma's
    // weights is 1.
    let distance: Float = 0.5336
    #expect(
      abs(alpha(GPUImageFormula(threshold: distance - 0.1, smoothing: 0.2), gray) - 0.5) < 2e-3)
    #expect(alpha(GPUImageFormula(threshold: distance + 0.01, smoothing: 0.2), gray) == 0)
    let quarter = alpha(GPUImageFormula(threshold: distance - 0.05, smoothing: 0.2), gray)
    #expect(abs(quarter - 0.15625) < 2e-3, "3/16 − 2/64")
  }

  @Test func `OBS's ramp has the power of one and a half`() {
    // Grey lies √(0.338572² + 0.398942²) = 0.52324 from magenta.
    let distance: Float = 0.52324
    let quarter = alpha(OBSFormula(similarity: distance - 0.05, smoothness: 0.2, spill: 1), gray)
    #expect(abs(quarter - 0.125) < 1e-3)
  }

  @Test func `OBS averages the distances of eight neighbours`() {
    let point = picture(side: 5, color: [1, 1, 1]) { _, _ in 1 }
    var pixels = flat(magenta, side: 5).pixels
    pixels[12] = point.pixels[12]
    let screen = MattePicture(width: 5, height: 5, pixels: pixels)
    let matte = OBSFormula(similarity: 0, smoothness: 1, spill: 1).matte(of: screen, key: magenta)
    // Its own ninth, and none of the samples between its neighbours, which hold but screen.
    #expect(abs(matte.pixels[12].w - powf(0.52324 / 9, 1.5)) < 1e-4)
    // Each neighbour has it in one sample, by half and at twice the weight of its own.
    for neighbour in [6, 7, 8, 11, 13, 16, 17, 18] {
      #expect(abs(matte.pixels[neighbour].w - powf(0.52324 / 9, 1.5)) < 1e-4)
    }
    #expect(matte.pixels[0].w == 0)
  }

  @Test func `OBS fades colour near the key to grey`() {
    let formula = OBSFormula(similarity: 0.1, smoothness: 0.1, spill: 10)
    let pixel = formula.matte(of: flat([0.9, 0.3, 0.2]), key: magenta).pixels[5]
    #expect(pixel.w == 1)
    #expect(pixel.x - pixel.z < 0.1)
  }

  @Test(arguments: [0.1, 0.5, 0.8] as [Float])
  func `colour difference takes a grey veil apart exactly`(share: Float) {
    let formula = ColorDifferenceFormula(black: 0, white: 1)
    let mixed = gray * share + magenta * (1 - share)
    let pixel = formula.matte(of: flat(mixed), key: magenta).pixels[5]
    #expect(abs(pixel.w - share) < 1e-5)
    #expect(abs(pixel.x / pixel.w - 0.5) < 1e-4)
    #expect(abs(pixel.y / pixel.w - 0.5) < 1e-4)
  }

  @Test func `colour difference knows green too`() {
    let formula = ColorDifferenceFormula(black: 0, white: 1)
    let pixel = formula.matte(of: flat(gray * 0.25 + green * 0.75), key: green).pixels[5]
    #expect(abs(pixel.w - 0.25) < 1e-5)
  }
}
