import Imaging
import Testing

/// Pictures of all kinds of sizes, above all odd ones, whose last column or row has chroma of its own.
struct PictureSizeTests {
  /// Small and large, even and odd, and such as end within, at and just beyond a block of sixteen.
  private static let sizes = [
    (95, 71), (97, 65), (160, 121), (177, 139), (320, 241), (351, 277), (350, 278), (481, 363),
    (641, 481),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  /// Two solid feet with a soft shadow between and around them, as large as the picture allows, and a
  /// bar that leaves it on the right and at the foot.
  private func scene(_ size: PixelSize) -> TruthScene {
    let unit = Float(size.width) / 352
    let (middle, floor) = (Float(size.width) / 2, Float(size.height) * 0.7)
    return TruthScene(size: size) { x, y in
      let (dx, dy) = ((x - middle) / unit, (y - floor) / unit)
      let (toRight, toFoot) = (Float(size.width) - x, Float(size.height) - y)
      if toRight < 9 || toFoot < 7 { return (SIMD3(0.2, 0.5, 0.3), 1) }
      if abs(abs(dx) - 24) < 12, abs(dy + 3) < 7 { return (SIMD3(0.54, 0.23, 0.12), 1) }
      let away = min((dx * dx / 6400 + dy * dy / 256).squareRoot(), 1)
      return (.zero, 0.6 * (1 - away * away * (3 - 2 * away)))
    }
  }

  @Test(arguments: sizes)
  func `a shadow between solid feet is no paint, however small`(size: PixelSize) throws {
    let scene = scene(size)
    let (image, tally) = try Keyer.keyed(scene.planar(.left), KeySettings())
    #expect(tally?.paint == 0)
    let (x, y) = (size.width / 2, Int(Float(size.height) * 0.7))
    #expect(abs(Int(image[x, y].w) - 153) < 20, "\(image[x, y])")
  }

  @Test(arguments: sizes, ChromaSiting.allCases)
  func `the last column and row stand beside more of themselves`(
    size: PixelSize, siting: ChromaSiting
  ) throws {
    let picture = scene(size).planar(siting)
    let even = PixelSize(width: (size.width + 1) & ~1, height: (size.height + 1) & ~1)
    let filled = PlanarPicture(size: even) { plane, x, y in
      switch plane {
      case 0: picture.luma(min(x, size.width - 1), min(y, size.height - 1))
      case 1: UInt8(picture.chroma(picture.cb, x, y))
      default: UInt8(picture.chroma(picture.cr, x, y))
      }
    }
    let settings = KeySettings(colors: [RGBColor(clamping: TruthScene.screen)])
    let (image, whole) = (
      try Keyer.keyed(picture, settings).image, try Keyer.keyed(filled, settings).image
    )
    for y in 0..<size.height {
      for x in 0..<size.width { try #require(image[x, y] == whole[x, y], "at \(x), \(y)") }
    }
  }
}
