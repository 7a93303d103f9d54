import Testing

@testable import Imaging

@Suite struct ColorDifferenceTests {
  @Test(
    arguments: [
      // screen, colour, excess
      ("magenta", "#ff80c0", 64), ("magenta", "#80ff80", -127), ("lime", "#40c020", 128),
      ("blue", "#2030a0", 112), ("magenta", "#808080", 0),
    ] as [(String, String, Float)])
  func `the excess is the weakest strong channel less the strongest other`(
    screen: String, color: String, excess: Float
  ) throws {
    let key = try #require(RGBColor(screen)).channels
    let difference = try #require(ColorDifference(screen: key))
    let rgb = try #require(RGBColor(color)).channels
    // In steps of 1 as in steps of 1/255: matte and despill use the one and the other.
    for scale in [Float(1), 255] {
      let (r, g, b) = (rgb.x * scale, rgb.y * scale, rgb.z * scale)
      let found = difference.excess(red: r, green: g, blue: b) * 255 / scale
      #expect(abs(found - excess) < 0.01)
    }
  }

  @Test func `the screen is transparent and what has none of its hue is opaque`() throws {
    let key = SIMD3<Float>(0.85, 0.1, 0.8)
    let difference = try #require(ColorDifference(screen: key))
    #expect(difference.coverage(red: key.x, green: key.y, blue: key.z) == 0)
    #expect(difference.coverage(red: 0.5, green: 0.5, blue: 0.5) == 1)
    let half = key / 2 + 0.25
    #expect(abs(difference.coverage(red: half.x, green: half.y, blue: half.z) - 0.5) < 0.02)
  }

  @Test(arguments: ["white", "black", "#808888"])
  func `a screen without a hue has none`(screen: String) throws {
    #expect(ColorDifference(screen: try #require(RGBColor(screen)).channels) == nil)
  }
}
