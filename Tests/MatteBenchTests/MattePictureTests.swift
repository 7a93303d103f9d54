import Testing

@testable import MatteTruth

@Suite struct MattePictureTests {
  @Test func `straight pixels come back as they were`() {
    let straight: [SIMD4<UInt8>] = [
      [10, 20, 30, 255], [200, 100, 0, 128], .zero, [255, 1, 7, 3],
    ]
    let picture = MattePicture(width: 2, height: 2, straight: straight)
    #expect(picture.straight == straight)
    #expect(picture.pixels[1].x == Float(200) / 255 * (Float(128) / 255))
  }

  @Test func `raw frames are read one after the other`() {
    let bytes = [UInt8](0..<14)
    let frames = MattePicture.frames(ofRaw: bytes, width: 2, height: 1, channels: 3)
    #expect(frames.count == 2)
    #expect(frames[1].straight == [[6, 7, 8, 255], [9, 10, 11, 255]])
  }
}
