import Testing

@testable import Imaging

/// Keying before screens that are not of one colour.
@Suite struct LightTests {
  private static let lilac = SIMD3<Float>(0.8, 0.65, 0.75)
  private static let figures: [(color: SIMD3<Float>, coverage: Float)] = [
    (SIMD3(0.5, 0.5, 0.5), 1), (Self.lilac, 1), (SIMD3(1, 1, 1), 0.3),
  ]

  /// Light that falls off by two fifths to the corners.
  private static func fallOff(_ x: Float, _ y: Float) -> Float {
    let (u, v) = ((x - 100) / 288, (y - 40) / 96)
    return 0.95 - 0.75 * u * u - 0.1 * u - 0.2 * v * v
  }

  /// The mean error of alpha on the screen, and elsewhere, in 8-bit steps.
  private func errors(
    _ image: RGBAImage, _ scene: TruthScene
  ) -> (screen: Float, others: Float) {
    var (screen, others) = ((sum: Float(0), count: Float(0)), (sum: Float(0), count: Float(0)))
    for y in 0..<scene.size.height {
      for x in 0..<scene.size.width {
        let truth = scene.coverage(x, y) * 255
        let error = abs(Float(image[x, y].w) - truth)
        if truth == 0 {
          screen = (screen.sum + error, screen.count + 1)
        } else {
          others = (others.sum + error, others.count + 1)
        }
      }
    }
    return (screen.sum / screen.count, others.sum / others.count)
  }

  @Test func `uneven light leaves nothing of the screen and takes nothing of the figures`() throws {
    var scene = TruthScene.discs(Self.figures)
    let even = errors(try Keyer.keyed(scene.planar(.left), KeySettings()).image, scene)
    scene.light = Self.fallOff
    let planar = try Keyer.keyed(scene.planar(.left), KeySettings()).image
    let direct = try Keyer.keyed(scene.image, KeySettings())
    for image in [planar, direct] {
      let found = errors(image, scene)
      #expect(found.screen < 0.1)
      #expect(found.others < even.others + 2, "\(found) \(even)")
    }
  }

  @Test func `figures keep their colour before an unevenly lit screen`() throws {
    var scene = TruthScene.discs(Self.figures)
    scene.light = Self.fallOff
    for image in [
      try Keyer.keyed(scene.planar(.left), KeySettings()).image,
      try Keyer.keyed(scene.image, KeySettings()),
    ] {
      for (x, color) in [(48, Self.figures[0].color), (144, Self.lilac)] {
        for dx in -12...12 {
          let pixel = image[x + dx, 48]
          let off = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z)) - color * 255
          #expect(pixel.w == 255 && max(abs(off.x), abs(off.y), abs(off.z)) < 4)
        }
      }
    }
  }

  @Test func `light is looked for in vain where there is none`() throws {
    let clouds: [(SIMD3<Float>, Float, Float)] = [
      (SIMD3(0.8, 0.8, 0.8), 0.75, 30), (SIMD3(1, 1, 1), 0.12, 60), (SIMD3(0, 0, 0), 1, 1),
    ]
    for (color, coverage, softness) in clouds {
      let scene = TruthScene.discs([(color, coverage)], softness: softness)
      let measurement = KeyMeasurement(color: RGBColor(clamping: TruthScene.screen))
      let survey = try #require(LightSurvey(measurement))
      let image = scene.image
      #expect(survey.surface(of: image.view) == nil, "\(color) \(coverage)")
    }
  }

  @Test(arguments: [0.95, 0.8, 0.56, 1.05] as [Float])
  func `light that changes after the first frame leaves nothing of the screen`(
    light: Float
  ) throws {
    var scene = TruthScene.discs(Self.figures)
    scene.light = { _, _ in 0.9 }
    let first = scene.planar(.left)
    let plan = try first.withView { try KeyPlan(KeySettings(), measuring: $0) }
    scene.light = { _, _ in 0.9 * light }
    let keyer = Keyer(plan)
    var image = RGBAImage(size: scene.size)
    scene.planar(.left).withView { view in
      keyer.begin(view)
      var pixels = image.mutablePixels
      keyer.key(rows: 0..<scene.size.height, of: view, into: &pixels)
    }
    #expect(errors(image, scene).screen < 0.1)
  }

  @Test func `a plate keys a screen that no light explains`() throws {
    var scene = TruthScene.discs(Self.figures)
    // Folds and seams of a cloth.
    scene.light = { x, y in
      0.75 + (Int(x / 9) % 2 == 0 ? 0.2 : 0) + (Int(y / 13) % 3 == 0 ? 0.05 : 0)
    }
    var empty = TruthScene(size: scene.size) { _, _ in (.zero, 0) }
    empty.light = scene.light
    let aids = KeyAids(plate: empty.image)
    let without = errors(try Keyer.keyed(scene.image, KeySettings()), scene)
    let with = errors(try Keyer.keyed(scene.image, KeySettings(), aids: aids), scene)
    #expect(with.screen < 0.1 && with.others < 4, "\(with)")
    #expect(with.screen + with.others < (without.screen + without.others) / 2, "\(without)")
    let planar = errors(
      try Keyer.keyed(scene.planar(.center), KeySettings(), aids: aids).image, scene)
    #expect(planar.screen < 1.5 && planar.others < 9, "\(planar)")
  }
}
