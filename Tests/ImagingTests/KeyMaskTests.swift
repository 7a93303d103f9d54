import Testing

@testable import Imaging

@Suite struct KeyMaskTests {
  private static let size = PixelSize(width: 96, height: 96)
  private var scene: TruthScene { .discs([(SIMD3(0.5, 0.5, 0.5), 1)]) }

  /// The coverage of a whole picture.
  private func coverage(_ shapes: [KeyMask.Shape], on size: PixelSize = Self.size) -> [UInt8] {
    KeyMask(shapes, on: Self.size).plane?.resized(to: size).samples ?? []
  }

  private func area(_ samples: [UInt8]) -> Double {
    samples.reduce(0) { $0 + Double($1) } / 255
  }

  @Test func `a polygon covers its area, in shares of the pixels at its sides`() {
    let triangle = KeyMask.Shape.polygon([SIMD2(10.25, 5.5), SIMD2(70, 20), SIMD2(30.5, 80.75)])
    // Half the cross product of two sides.
    let wanted = abs(59.75 * 75.25 - 14.5 * 20.25) / 2
    #expect(abs(area(coverage([triangle])) - wanted) < 1)
    let reversed = KeyMask.Shape.polygon([SIMD2(30.5, 80.75), SIMD2(70, 20), SIMD2(10.25, 5.5)])
    #expect(coverage([reversed]) == coverage([triangle]))
  }

  @Test func `what lies outside the picture is cut off`() {
    let around = KeyMask.Shape.polygon([
      SIMD2(-50, -20), SIMD2(500, -20), SIMD2(500, 300), SIMD2(-50, 300),
    ])
    #expect(coverage([around]).allSatisfy { $0 == 255 })
    let beside = KeyMask.Shape.polygon([SIMD2(100, 0), SIMD2(120, 0), SIMD2(120, 50)])
    #expect(coverage([beside]).allSatisfy { $0 == 0 })
    // The left half of a diamond that hangs over the left side.
    let diamond = KeyMask.Shape.polygon([
      SIMD2(0, 20), SIMD2(20, 40), SIMD2(0, 60), SIMD2(-20, 40),
    ])
    #expect(abs(area(coverage([diamond])) - 400) < 1)
  }

  @Test func `shapes keep their proportions on a picture of another size`() {
    let square = KeyMask.Shape.polygon([
      SIMD2(24, 24), SIMD2(72, 24), SIMD2(72, 72), SIMD2(24, 72),
    ])
    let small = PixelSize(width: 48, height: 24)
    #expect(area(coverage([square], on: small)) == 24 * 12)
  }

  @Test func `a rectangle that is shut out is transparent, half at half a pixel`() throws {
    let half = KeyMask.Shape.polygon([
      SIMD2(0, 0), SIMD2(48.5, 0), SIMD2(48.5, 96), SIMD2(0, 96),
    ])
    let aids = KeyAids(garbage: KeyMask([half], on: Self.size))
    let picture = scene.planar(.left)
    let plain = try Keyer.keyed(picture, KeySettings()).image
    let masked = try Keyer.keyed(picture, KeySettings(), aids: aids).image
    for y in 0..<96 {
      #expect((0..<48).allSatisfy { masked[$0, y] == .zero })
      #expect((49..<96).allSatisfy { masked[$0, y] == plain[$0, y] })
    }
    #expect(masked[48, 48].w == 127 || masked[48, 48].w == 128)
    #expect(try Keyer.matte(picture, KeySettings(), aids: aids) == masked.pixels.map(\.w))
  }

  @Test(arguments: KeySettings.Mode.allCases)
  func `what is held out stays as it is`(mode: KeySettings.Mode) throws {
    let settings = KeySettings(
      mode: mode, colors: [RGBColor(clamping: TruthScene.screen)], threshold: nil)
    var white = RGBAImage(size: Self.size)
    for y in 60..<96 { for x in 0..<96 { white[x, y] = SIMD4(255, 255, 255, 255) } }
    let aids = KeyAids(holdOut: KeyMask([.plane(MaskPlane(white))], on: Self.size))
    let image = scene.image
    let masked = try Keyer.keyed(image, settings, aids: aids)
    let plain = try Keyer.keyed(image, settings)
    for y in 0..<96 {
      for x in 0..<96 {
        try #require(masked[x, y] == (y < 60 ? plain[x, y] : image[x, y]))
      }
    }
    let planar = try Keyer.keyed(scene.planar(.left), settings, aids: aids).image
    #expect(planar[3, 93].w == 255)
    #expect(planar[3, 93].x > 250 && planar[3, 93].y < 5 && planar[3, 93].z > 250)
    #expect(planar[3, 3] == .zero)
  }

  @Test func `what is shut out plays no part in finding the screen`() throws {
    var image = scene.image
    for y in 0..<96 { for x in 0..<60 { image[x, y] = SIMD4(0, 255, 0, 255) } }
    let prop = KeyMask.Shape.polygon([
      SIMD2(0, 0), SIMD2(60, 0), SIMD2(60, 96), SIMD2(0, 96),
    ])
    let aids = KeyAids(garbage: KeyMask([prop], on: Self.size))
    let plan = try KeyPlan(KeySettings(), aids: aids, measuring: image.view)
    #expect(plan.screens[0].color == RGBColor(packed: 0xff00ff))
    #expect(try KeyPlan(KeySettings(), measuring: image.view).screens[0].color.green > 0.9)
  }

  @Test(arguments: [KeySettings(), KeySettings(choke: 2), KeySettings(clipBlack: 0.4)])
  func `the tally is that of what is written`(settings: KeySettings) throws {
    let half = KeyMask.Shape.polygon([
      SIMD2(0, 0), SIMD2(48, 0), SIMD2(48, 96), SIMD2(0, 96),
    ])
    let aids = KeyAids(garbage: KeyMask([half], on: Self.size))
    let (image, tally) = try Keyer.keyed(scene.planar(.left), settings, aids: aids)
    let found = try #require(tally)
    #expect(found.count == Self.size.area)
    #expect(found.transparent == image.pixels.count { $0.w == 0 })
    #expect(found.opaque == image.pixels.count { $0.w == 255 })
  }

  @Test func `what is held out and shut out is shut out`() throws {
    let all = KeyMask.Shape.polygon([SIMD2(0, 0), SIMD2(96, 0), SIMD2(96, 96), SIMD2(0, 96)])
    let half = KeyMask.Shape.polygon([SIMD2(0, 0), SIMD2(48, 0), SIMD2(48, 96), SIMD2(0, 96)])
    let aids = KeyAids(
      garbage: KeyMask([half], on: Self.size), holdOut: KeyMask([all], on: Self.size))
    let settings = KeySettings(colors: [RGBColor(packed: 0xff00ff)])
    let image = try Keyer.keyed(scene.planar(.left), settings, aids: aids).image
    for y in 0..<96 {
      #expect((0..<48).allSatisfy { image[$0, y] == .zero })
      #expect((48..<96).allSatisfy { image[$0, y].w == 255 })
    }
  }
}
