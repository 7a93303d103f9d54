import Imaging
import Testing

@Suite struct ResamplingTests {
  @Test(arguments: ["1x1", "3x2", "33x21", "50x40", "99x80"])
  func `a flat picture stays flat at any size`(size: String) throws {
    let pixel = SIMD4<UInt8>(201, 7, 90, 255)
    let image = RGBAImage(size: PixelSize(width: 100, height: 80), filledWith: pixel)
    let result = image.resized(to: try #require(PixelSize(size)))
    #expect(result.pixels.allSatisfy { $0 == pixel })
  }

  @Test func `a smooth gradient keeps its values`() {
    let image = RGBAImage(size: PixelSize(width: 256, height: 16)) { _, row in
      for x in 0..<256 { row.append(SIMD4(UInt8(x), UInt8(255 - x), 128, 255)) }
    }
    let result = image.resized(to: PixelSize(width: 64, height: 4))
    // The ends bend, where the filter meets the edge.
    for x in 4..<60 {
      let expected = Double(x) * 4 + 1.5
      #expect(abs(Double(result[x, 2].x) - expected) <= 1, "\(x)")
    }
  }

  @Test func `the colour of transparent pixels does not bleed in`() {
    let image = RGBAImage(size: PixelSize(width: 40, height: 40)) { _, row in
      for x in 0..<40 { row.append(x < 20 ? SIMD4(0, 200, 0, 255) : SIMD4(255, 0, 255, 0)) }
    }
    let result = image.resized(to: PixelSize(width: 10, height: 10))
    for pixel in result.pixels where pixel.w > 16 {
      #expect(pixel.x <= 1 && abs(Int(pixel.y) - 200) <= 1 && pixel.z <= 1, "\(pixel)")
    }
    #expect(result[9, 5] == .zero)
  }

  @Test func `detail too fine for the output becomes its mean`() {
    let image = RGBAImage(size: PixelSize(width: 120, height: 120)) { y, row in
      for x in 0..<120 {
        let value: UInt8 = (x + y) % 2 == 0 ? 255 : 0
        row.append(SIMD4(value, value, value, 255))
      }
    }
    let result = image.resized(to: PixelSize(width: 30, height: 30))
    for y in 3..<27 {
      for x in 3..<27 { #expect(abs(Int(result[x, y].x) - 127) <= 3) }
    }
  }
}
