import Testing

@testable import SampleScenes

@Suite struct MillSceneTests {
  let scene = MillScene(width: 160, height: 120, frameCount: 12)

  @Test func `a frame is the same each time it is drawn`() {
    #expect(scene.frame(5) == scene.frame(5))
    #expect(scene.frame(5) != scene.frame(6))
  }

  @Test func `the last frame leads into the first`() {
    #expect(scene.frame(12) == scene.frame(0))
  }

  @Test(arguments: [(1, 1), (33, 7), (160, 120)])
  func `a scene can have any size`(width: Int, height: Int) {
    let picture = MillScene(width: width, height: height, frameCount: 2).frame(1)
    #expect(picture.width == width)
    #expect(picture.height == height)
  }

  @Test func `color is zero where alpha is`() {
    let clear = scene.frame(3).pixels.filter { $0.w == 0 }
    #expect(!clear.isEmpty)
    #expect(clear.allSatisfy { $0 == .zero })
  }

  @Test func `a frame has clear, solid and half-transparent pixels`() {
    let picture = scene.frame(0)
    #expect(picture[0, 0].w == 0, "nothing is in the corner")
    #expect(picture[80, 68].w == 255, "the mill stands in the middle")
    #expect((120...136).contains(picture[34, 32].w), "the balloon lets half the light through")
  }
}
