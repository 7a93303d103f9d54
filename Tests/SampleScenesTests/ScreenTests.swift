import Testing

@testable import SampleScenes

@Suite struct ScreenTests {
  @Test func `a clear pixel shows the screen and a solid one hides it`() {
    let picture = Picture(width: 3, height: 1, pixels: [.zero, [9, 8, 7, 255], [100, 0, 0, 51]])
    #expect(Screen.magenta.rgb(behind: picture) == [255, 0, 255, 9, 8, 7, 224, 0, 204])
  }

  @Test func `grain is drawn from the frame's number`() {
    let picture = Picture(width: 8, height: 8, pixels: Array(repeating: .zero, count: 64))
    let first = Screen.greenCloth.rgb(behind: picture, frame: 0)
    #expect(first == Screen.greenCloth.rgb(behind: picture, frame: 0))
    #expect(first != Screen.greenCloth.rgb(behind: picture, frame: 1))
  }

  @Test func `a picture turned left has its right edge on top`() {
    let picture = Picture(
      width: 2, height: 1, pixels: [SIMD4(repeating: 1), SIMD4(repeating: 2)])
    let turned = picture.turnedLeft()
    #expect(turned.width == 1)
    #expect(turned[0, 0] == SIMD4(repeating: 2))
  }
}
