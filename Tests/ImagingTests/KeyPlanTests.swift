import Imaging
import TestSupport
import Testing

@Suite struct KeyPlanTests {
  /// A screen with a figure standing on the lower edge, unevenly lit and noisy.
  private func picture(screen: SIMD3<Float>, uneven: Float, noise: Float) -> RGBAImage {
    let size = PixelSize(width: 320, height: 240)
    var random = SeededRandom(seed: 3)
    return RGBAImage(size: size) { y, row in
      for x in 0..<size.width {
        let isFigure = abs(x - 160) < 60 && y > 60
        let light = 1 - uneven * (Float(x) / 320 + Float(y) / 240) / 2
        let color = isFigure ? SIMD3<Float>(0.8, 0.6, 0.5) : screen * light
        let grain = noise * (Float.random(in: 0...1, using: &random) - 0.5)
        let bytes = (color + grain).clamped(lowerBound: .zero, upperBound: .one) * 255
        row.append(SIMD4(UInt8(bytes.x), UInt8(bytes.y), UInt8(bytes.z), 255))
      }
    }
  }

  @Test(arguments: ["magenta", "lime", "blue", "#20b040", "#c03080"], [0, 0.3] as [Float])
  func `the screen's colour is found without a name`(name: String, uneven: Float) throws {
    let wanted = try #require(RGBColor(name))
    let image = picture(screen: wanted.channels, uneven: uneven, noise: uneven / 5)
    let plan = try KeyPlan(KeySettings(), measuring: image.view)
    let found = plan.screens[0]
    let light = 1 - uneven / 2
    for channel in 0..<3 {
      let difference = found.color.channels[channel] - wanted.channels[channel] * light
      #expect(abs(difference) < 0.03 + uneven / 3, "\(found.color)")
    }
    #expect(found.borderShare > 0.75)
    #expect(found.spread < 0.02 + uneven / 4)
  }

  @Test func `a dull screen is one where most of the border has its colour`() throws {
    let image = picture(screen: SIMD3(0.35, 0.57, 0.36), uneven: 0, noise: 0)
    let found = try KeyPlan(KeySettings(), measuring: image.view).screens[0]
    #expect(abs(found.color.green - 0.57) < 0.01 && abs(found.color.red - 0.35) < 0.01)
  }

  @Test func `a named colour is measured near its name`() throws {
    let image = picture(screen: SIMD3(0.9, 0.1, 0.85), uneven: 0, noise: 0)
    let settings = KeySettings(colors: [RGBColor(red: 1, green: 0, blue: 1)])
    let found = try KeyPlan(settings, measuring: image.view).screens[0]
    #expect(found.color.description == "#e519d8")
  }

  @Test func `a colour that is not in the picture stays as it is named`() throws {
    let image = picture(screen: SIMD3(0, 1, 0), uneven: 0, noise: 0)
    let settings = KeySettings(colors: [RGBColor(red: 1, green: 0, blue: 1)])
    #expect(try KeyPlan(settings, measuring: image.view).screens[0].color.description == "#ff00ff")
  }

  @Test func `GPUImage's mode takes the colour as it is named`() throws {
    let image = picture(screen: SIMD3(0.9, 0.1, 0.85), uneven: 0, noise: 0)
    let magenta = RGBColor(red: 1, green: 0, blue: 1)
    let settings = KeySettings(mode: .gpuimage, colors: [magenta])
    let found = try KeyPlan(settings, measuring: image.view).screens[0]
    #expect(found.color == magenta && found.spread == 0 && found.isFound)
  }

  @Test(arguments: KeySettings.Mode.allCases)
  func `a named colour that is not there is told, and what is there instead`(
    mode: KeySettings.Mode
  ) throws {
    let image = picture(screen: SIMD3(0, 0.8, 0.2), uneven: 0, noise: 0)
    let named = KeySettings(mode: mode, colors: [RGBColor(packed: 0xff00ff)])
    let plan = try KeyPlan(named, measuring: image.view)
    #expect(!plan.screens[0].isFound)
    #expect(plan.otherScreen?.color.description == "#00cc33")
    let right = KeySettings(mode: mode, colors: [RGBColor(packed: 0x00c040)])
    let found = try KeyPlan(right, measuring: image.view)
    #expect(found.screens[0].isFound && found.otherScreen == nil)
  }

  @Test func `a picture that is transparent already has nothing to key`() {
    var image = picture(screen: SIMD3(0.5, 0.5, 0.5), uneven: 0, noise: 0)
    for y in 0..<100 { for x in 0..<320 { image[x, y] = .zero } }
    #expect(throws: KeyError.transparentAlready) {
      try KeyPlan(KeySettings(), measuring: image.view)
    }
  }

  @Test(arguments: [0.2, 0.35, 0.5])
  func `what is left of a picture that is transparent around it is no screen`(radius: Float) {
    let image = RGBAImage(size: PixelSize(width: 200, height: 200)) { y, row in
      for x in 0..<200 {
        let (dx, dy) = (Float(x) - 99.5, Float(y) - 99.5)
        let isDisc = (dx * dx + dy * dy).squareRoot() < 200 * radius
        row.append(isDisc ? SIMD4(233, 0, 20, 255) : .zero)
      }
    }
    #expect(throws: KeyError.transparentAlready) {
      try KeyPlan(KeySettings(), measuring: image.view)
    }
  }

  @Test(arguments: ["black", "white", "#808080", "#202020", "#804080", "rebeccapurple", "navy"])
  func `a name that is not the screen's takes nothing of the subject for the screen`(
    name: String
  ) throws {
    var image = picture(screen: SIMD3(1, 0, 1), uneven: 0, noise: 0)
    // A suit in greys and blue.
    for y in 100..<200 {
      for x in 110..<210 {
        let grey = UInt8(x)
        image[x, y] = y < 150 ? SIMD4(grey, grey, grey, 255) : SIMD4(40, 60, 160, 255)
      }
    }
    let settings = KeySettings(colors: [try #require(RGBColor(name))])
    let plan = try KeyPlan(settings, measuring: image.view)
    #expect(!plan.screens[0].isFound && plan.screens[0].color == settings.colors[0])
    #expect(plan.otherScreen?.color.description == "#ff00ff")
  }

  @Test(arguments: ["black", "white", "#808080", "#818080"])
  func `a screen without a hue can be planned and keyed`(name: String) throws {
    let color = try #require(RGBColor(name))
    var image = picture(screen: color.channels, uneven: 0, noise: 0)
    for y in 110..<130 { for x in 150..<170 { image[x, y] = SIMD4(255, 0, 0, 255) } }
    let plan = try KeyPlan(KeySettings(colors: [color]), measuring: image.view)
    #expect(plan.screens[0].isFound)
    let keyer = Keyer(plan)
    keyer.begin(image.view)
    var pixels = [SIMD4<UInt8>](repeating: .zero, count: image.size.area)
    var span = pixels.mutableSpan
    keyer.key(rows: 0..<image.height, of: image.view, into: &span)
    #expect(pixels[0].w == 0 && pixels[120 * 320 + 160].w > 200)
  }

  @Test func `a grey picture has no screen`() {
    let image = picture(screen: SIMD3(0.5, 0.5, 0.5), uneven: 0.2, noise: 0.02)
    #expect(throws: KeyError.noScreenFound) { try KeyPlan(KeySettings(), measuring: image.view) }
  }
}
