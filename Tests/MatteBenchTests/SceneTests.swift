import SampleScenes
import Testing

@testable import MatteTruth

@Suite struct SceneTests {
  /// All scenes that are drawn at any size, small enough to be drawn quickly.
  private let small = TruthScene.all.filter { !$0.name.contains("-") }.map { scene in
    var scene = scene
    (scene.width, scene.height) = (120, 90)
    return scene
  }

  /// The alpha of a layer's pixels together, in pixels.
  private func area(_ layer: Layer) -> Float { layer.pixels.reduce(0) { $0 + $1.w } }

  private func painted(_ form: Form) -> Layer {
    var layer = Layer(width: 40, height: 40)
    layer.fill(form, Color(1, 1, 1))
    return layer
  }

  @Test(arguments: [0.5, 0.7, 1, 3] as [Float], [10, 10.3, 10.5] as [Float])
  func `a line covers its width wherever it lies`(width: Float, row: Float) {
    let line = Form.line([Point(-9, row), Point(49, row)], width: width)
    #expect(abs(area(painted(line)) - 40 * width) < 0.2)
  }

  @Test func `a tapering line covers half of its width`() {
    let line = Form.line([Point(-1, 20), Point(41, 20)], width: 4, tip: 0)
    #expect(abs(area(painted(line)) - 80) < 3)
  }

  @Test func `discs, rings and boxes cover their areas`() {
    #expect(abs(area(painted(.disc(Point(20.2, 19.7), 15))) - .pi * 225) < 1)
    #expect(abs(area(painted(.ring(Point(20, 20), 12, width: 0.8))) - .pi * 24 * 0.8) < 1)
    #expect(abs(area(painted(.box(Point(20, 20), Point(9, 7), angle: 0.4))) - 252) < 1)
  }

  @Test func `an outline is a form grown`() {
    #expect(abs(area(painted(.disc(Point(20, 20), 10).grown(by: 2))) - .pi * 144) < 2)
  }

  @Test func `a frame is the same each time and not the next`() {
    for scene in small {
      #expect(scene.frame(3) == scene.frame(3), "\(scene.name)")
      #expect(scene.frame(3) != scene.frame(4), "\(scene.name)")
    }
  }

  @Test func `every scene has something and room around it`() {
    for scene in small {
      let alphas = scene.frame(4).pixels.map(\.w)
      #expect(alphas.contains { $0 > 60 }, "\(scene.name)")
      #expect(alphas.count { $0 == 0 } > alphas.count / 4, "\(scene.name)")
    }
  }

  @Test(arguments: [TruthScene.pixelArt, .oddBlocks])
  func `pixel art has no half-covered pixels`(scene: TruthScene) {
    #expect(scene.frame(2).pixels.allSatisfy { $0.w == 0 || $0.w == 255 })
  }

  @Test(arguments: TruthScene.all.filter(\.hasScreenHues))
  func `colours near magenta become as near to green`(scene: TruthScene) {
    func nearest(_ key: SIMD3<UInt8>) -> Float {
      let hue = KeyHue(of: SIMD3<Float>(key) / 255)
      let picture = MattePicture(scene.frame(0, before: key))
      return picture.pixels.filter { $0.w == 1 }.map(hue.excess).max() ?? 0
    }
    #expect(nearest([255, 0, 255]) > 0.2)
    #expect(nearest([0, 255, 0]) > 0.2)
  }

  @Test func `scene names are unique`() {
    #expect(Set(TruthScene.all.map(\.name)).count == TruthScene.all.count)
  }
}
