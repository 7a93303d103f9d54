import Testing

@testable import Imaging

@Suite struct KeyCleanTests {
  private static let grey = SIMD3<Float>(0.5, 0.5, 0.5)
  private static let pink = SIMD3<Float>(0.95, 0.45, 0.7)

  /// The mean error of alpha within three pixels of a disc's edge, in 8-bit steps.
  private func edgeError(_ image: RGBAImage, _ scene: TruthScene) -> Float {
    var (sum, count): (Float, Float) = (0, 0)
    for y in 0..<scene.size.height {
      for x in 0..<scene.size.width {
        let (dx, dy) = (Float(x % 96) - 47.5, Float(y) - 47.5)
        guard abs((dx * dx + dy * dy).squareRoot() - 30) < 3 else { continue }
        sum += abs(Float(image[x, y].w) - scene.coverage(x, y) * 255)
        count += 1
      }
    }
    return sum / count
  }

  @Test(arguments: ChromaSiting.allCases)
  func `edges of 4:2:0 are found in luma's resolution`(siting: ChromaSiting) throws {
    let colors = [SIMD3<Float>(0.9, 0.9, 0.9), SIMD3(0.1, 0.3, 0.1), SIMD3(0.95, 0.7, 0.2)]
    let scene = TruthScene.discs(colors.map { ($0, 1) })
    let picture = scene.planar(siting)
    let clean = try Keyer.keyed(picture, KeySettings()).image
    let plain = try Keyer.keyed(
      picture,
      KeySettings(
        mode: .gpuimage, colors: [RGBColor(clamping: TruthScene.screen)],
        threshold: 0.15, smoothing: 0.3)
    ).image
    #expect(edgeError(clean, scene) < 6)
    #expect(edgeError(clean, scene) < edgeError(plain, scene) * 0.7)
  }

  @Test(arguments: ChromaSiting.allCases, ChromaSiting.allCases)
  func `where chroma sits is measured, whatever the picture says`(
    truth: ChromaSiting, stated: ChromaSiting
  ) throws {
    let scene = TruthScene.discs([(SIMD3(1, 1, 1), 1), (SIMD3(0.1, 0.1, 0.1), 1)])
    scene.planar(truth).withView(siting: stated) { view in
      #expect(SitingEvidence(view).siting == truth)
    }
  }

  @Test func `a picture without edges is believed about its chroma`() {
    let flat = TruthScene(size: PixelSize(width: 64, height: 64)) { _, _ in (Self.grey, 0) }
    for stated in ChromaSiting.allCases {
      flat.planar(.center).withView(siting: stated) { view in
        #expect(SitingEvidence(view).siting == stated)
      }
    }
  }

  /// The alpha in the middle of each disc.
  private func middles(_ scene: TruthScene, _ settings: KeySettings) throws -> [Int] {
    let image = try Keyer.keyed(scene.planar(.center), settings).image
    let direct = try Keyer.keyed(scene.image, settings)
    return stride(from: 48, to: scene.size.width, by: 96).map { x in
      let (a, b) = (Int(image[x, 48].w), Int(direct[x, 48].w))
      #expect(abs(a - b) <= 4, "4:2:0 and RGBA are judged alike")
      return a
    }
  }

  @Test func `paint near the screen's colour is kept whole`() throws {
    let scene = TruthScene.discs([(Self.pink, 1), (SIMD3(0.55, 0.25, 0.65), 1)])
    #expect(try middles(scene, KeySettings()) == [255, 255])
    #expect(try middles(scene, KeySettings(surface: .opaque)) == [255, 255])
    let glass = try middles(scene, KeySettings(surface: .translucent))
    #expect(glass.allSatisfy { (150...230).contains($0) }, "\(glass)")
  }

  @Test func `glass lets the screen through`() throws {
    let scene = TruthScene.discs([(SIMD3(1, 1, 1), 0.3), (SIMD3(0.1, 0.1, 0.1), 0.4)])
    for surface in [KeySettings.Surface.auto, .translucent] {
      let found = try middles(scene, KeySettings(surface: surface))
      #expect(abs(found[0] - 77) < 8 && abs(found[1] - 102) < 8, "\(found)")
    }
    #expect(try middles(scene, KeySettings(surface: .opaque)) == [255, 255])
  }

  @Test func `tinted glass among clear glass is glass`() throws {
    let clear = [(SIMD3<Float>(1, 1, 1), Float(0.3)), (SIMD3(0.1, 0.1, 0.1), 0.4)]
    let scene = TruthScene.discs(clear + [(SIMD3(0.45, 0.55, 0.82), 0.7)])
    let found = try middles(scene, KeySettings())
    // Blue has something of magenta's hue, so that it is not told to the last step.
    #expect((165...215).contains(found[2]), "\(found)")
  }

  @Test func `a dark outline is as solid as what it is around`() throws {
    let (ink, body) = (SIMD3<Float>(0.07, 0.07, 0.12), SIMD3<Float>(0.9, 0.7, 0.2))
    let scene = TruthScene(size: PixelSize(width: 96, height: 96)) { x, y in
      let (dx, dy) = (Float(x) - 47.5, Float(y) - 47.5)
      let away = (dx * dx + dy * dy).squareRoot() - 30
      let inner = min(max(0.5 - (away + 2.6), 0), 1)
      return (ink + (body - ink) * inner, min(max(0.5 - away, 0), 1))
    }
    let image = try Keyer.keyed(scene.planar(.center), KeySettings()).image
    let solid = (0..<scene.size.area).filter { place in
      scene.coverage(place % 96, place / 96) == 1
    }
    let missing = solid.reduce(0) { $0 + 255 - Int(image[$1 % 96, $1 / 96].w) }
    let outline = 2 * Float.pi * 28.7 * 2.6
    #expect(Float(missing) / outline < 12)
    #expect(edgeError(image, scene) < 9)
  }

  @Test func `a shadow on the screen is as dark as it is`() throws {
    // Wide enough that the shadow is not the light of the whole picture.
    let screen = Array(repeating: (SIMD3<Float>.zero, Float.zero), count: 4)
    let scene = TruthScene.discs(screen + [(SIMD3(0, 0, 0), 0.5)] + screen, softness: 30)
    let image = try Keyer.keyed(scene.planar(.center), KeySettings()).image
    for x in 0..<scene.size.width {
      let wanted = scene.coverage(x, 48) * 255
      // Its thinnest rim, up to a tenth, may go with the noise of the screen.
      try #require(abs(Float(image[x, 48].w) - wanted) < (wanted < 26 ? 26 : 14), "at \(x)")
    }
  }

  @Test func `smoke stays smoke though it is thick`() throws {
    let scene = TruthScene.discs([(SIMD3(0.8, 0.8, 0.8), 0.75)], softness: 30)
    let image = try Keyer.keyed(scene.planar(.center), KeySettings()).image
    for x in 8..<88 {
      let error = abs(Float(image[x, 48].w) - scene.coverage(x, 48) * 255)
      try #require(error < 14, "at \(x)")
    }
  }

  @Test func `the tally counts each pixel once`() throws {
    let scene = TruthScene.discs([(Self.grey, 1), (Self.pink, 1), (SIMD3(1, 1, 1), 0.3)])
    let (image, tally) = try Keyer.keyed(scene.planar(.center), KeySettings())
    let found = try #require(tally)
    let alpha = image.pixels.map(\.w)
    #expect(found.count == scene.size.area)
    #expect(found.opaque == alpha.count { $0 == 255 })
    #expect(found.transparent == alpha.count { $0 == 0 })
    // The pink disc but for its rim.
    #expect((1500...2900).contains(found.paint), "\(found.paint)")
    #expect(found.meanResidue < 8)
  }

  @Test(arguments: [KeySettings(choke: -3), KeySettings(feather: 4)])
  func `a matte that is made wider has the foreground's colour, of paint and of glass`(
    settings: KeySettings
  ) throws {
    let scene = TruthScene.discs([(SIMD3(0.2, 0.8, 0.4), 1), (SIMD3(0.9, 0.9, 0.9), 0.4)])
    let image = try Keyer.keyed(scene.planar(.center), settings).image
    for (middle, color) in [(48, SIMD3<Float>(0.2, 0.8, 0.4)), (144, SIMD3(0.9, 0.9, 0.9))] {
      let added = image[middle + 32, 48]
      #expect(added.w > 5)
      let off = SIMD3(Float(added.x), Float(added.y), Float(added.z)) - color * 255
      #expect(max(abs(off.x), abs(off.y), abs(off.z)) < 40, "\(added)")
    }
  }

  @Test func `no hue of the screen is left in a grey edge`() throws {
    let scene = TruthScene.discs([(Self.grey, 1)])
    let image = try Keyer.keyed(scene.planar(.center), KeySettings()).image
    let stained = image.pixels.filter { pixel in
      pixel.w > 0 && Int(min(pixel.x, pixel.z)) - Int(pixel.y) > 16
    }
    #expect(stained.count < 12)
  }
}
