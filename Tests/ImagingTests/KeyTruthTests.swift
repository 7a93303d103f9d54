import Imaging
import TestSupport
import Testing

@Suite(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
struct KeyTruthTests {
  static let renders = GoldenCase.all(of: ["chroma_key"])

  private func keyed(_ image: RGBAImage, _ plan: KeyPlan) -> RGBAImage {
    var result = RGBAImage(size: image.size)
    var pixels = result.mutablePixels
    let keyer = Keyer(plan)
    keyer.begin(image.view)
    keyer.key(rows: 0..<image.height, of: image.view, into: &pixels)
    return result
  }

  @Test(arguments: renders)
  func `RGBA is keyed as GPUImage renders it`(render: GoldenCase) throws {
    let input = try goldenImage(render.inputs[0])
    let expected = try goldenImage(render.output)
    func number(_ name: String) throws -> Float {
      Float(try #require(render.parameters[name]?.number))
    }
    let channels = try #require(render.parameters["colorToReplace"]?.numbers).map(Float.init)
    let settings = KeySettings(
      mode: .gpuimage,
      colors: [RGBColor(red: channels[0], green: channels[1], blue: channels[2])],
      threshold: try number("thresholdSensitivity"), smoothing: try number("smoothing"))
    let result = keyed(input, try KeyPlan(settings, measuring: input.view))
    for (pixel, golden) in zip(result.pixels, expected.pixels) {
      try #require(abs(Int(pixel.w) - Int(golden.w)) <= 1)
      let wanted = pixel.w == 0 ? .zero : SIMD3(golden.x, golden.y, golden.z)
      try #require(SIMD3(pixel.x, pixel.y, pixel.z) == wanted)
    }
  }

  /// The mean error over black, white and grey, in 8-bit steps.
  private func compositeError(_ image: RGBAImage, _ truth: RGBAImage) -> Double {
    func over(_ pixel: SIMD4<UInt8>, _ channel: Int, _ ground: Double) -> Double {
      let alpha = Double(pixel.w) / 255
      return Double(pixel[channel]) * alpha + ground * (1 - alpha)
    }
    var sum = 0.0
    for (pixel, wanted) in zip(image.pixels, truth.pixels) {
      for ground in [0.0, 128, 255] {
        for channel in 0..<3 {
          sum += abs(over(pixel, channel, ground) - over(wanted, channel, ground))
        }
      }
    }
    return sum / Double(image.pixels.count * 9)
  }

  @Test(arguments: ["magenta", "green"])
  func `the clean mode finds the screen and comes nearer to the truth`(color: String) throws {
    let input = try goldenImage("inputs/sprite_\(color).png")
    let truth = try goldenImage("inputs/sprite_\(color)_truth.png")
    let clean = keyed(input, try KeyPlan(KeySettings(), measuring: input.view))
    let key = RGBColor(color == "green" ? "lime" : "magenta")
    let plain = KeySettings(mode: .gpuimage, colors: [try #require(key)])
    let gpuimage = keyed(input, try KeyPlan(plain, measuring: input.view))
    let (error, before) = (compositeError(clean, truth), compositeError(gpuimage, truth))
    // One of the magenta picture's three patches is glass, and looks like the paint of the two others.
    #expect(error < before * (color == "green" ? 0.2 : 0.9), "\(error) against \(before)")
  }
}
