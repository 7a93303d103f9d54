import Testing

@testable import Media

/// Where an MP3 file begins, by its bytes.
@Suite struct MP3BeginningTests {
  /// A frame of MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes.
  private static let frame: [UInt8] =
    [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0xAA, count: 413)
  private static let frames = [UInt8](Array(repeating: frame, count: 5).joined())

  private func beginning(_ bytes: [UInt8], frames count: Int = 3) -> MP3Beginning? {
    MP3Beginning(bytes, at: 0, frames: count, isWhole: true)
  }

  @Test func `frames at the start have no junk before them`() {
    #expect(beginning(Self.frames)?.junk.isEmpty == true)
  }

  @Test func `junk is counted from the tags to the first frame`() {
    let junk: [UInt8] = [1, 2, 3, 0xFF, 0xFB, 0x90, 7]
    #expect(beginning(junk + Self.frames)?.junk == 0..<7)
    let later = MP3Beginning(junk + Self.frames, at: 100, frames: 3, isWhole: true)
    #expect(later?.junk == 100..<107 && later?.firstFrame == 107)
  }

  @Test func `zeros are room that a tag has left`() {
    let start = beginning([UInt8](repeating: 0, count: 500) + Self.frames)
    #expect(start?.junk.isEmpty == true && start?.firstFrame == 500)
  }

  @Test func `a last frame that is cut counts`() {
    #expect(beginning(Array(Self.frames.prefix(417 + 200)))?.firstFrame == 0)
    #expect(beginning(Array(Self.frames.prefix(300))) == nil)
  }

  @Test func `as many frames in a row as are asked for`() {
    #expect(beginning(Self.frames + [1, 2, 3, 4, 5], frames: 5) != nil)
    #expect(beginning(Self.frames + [1, 2, 3, 4, 5], frames: 6) == nil)
  }

  @Test(
    arguments: [
      ([0xFF, 0xFB, 0x90, 0x00], 417), ([0xFF, 0xFB, 0x92, 0x00], 418),
      ([0xFF, 0xF3, 0x90, 0x00], 261), ([0xFF, 0xE3, 0x18, 0x00], 72),
      ([0xFF, 0xFD, 0x80, 0x00], 417), ([0xFF, 0xFF, 0x80, 0x00], 276),
    ] as [([UInt8], Int)])
  func `a header tells the size of its frame`(bytes: [UInt8], size: Int) {
    #expect(MPEGAudioHeader(bytes[...])?.frameSize == size)
  }

  @Test(
    arguments: [
      [0xFF, 0xEB, 0x90, 0x00], [0xFF, 0xF9, 0x90, 0x00], [0xFF, 0xFB, 0xF0, 0x00],
      [0xFF, 0xFB, 0x9C, 0x00], [0xFE, 0xFB, 0x90, 0x00], [0xFF, 0xFB],
    ] as [[UInt8]])
  func `what is reserved is no header`(bytes: [UInt8]) {
    #expect(MPEGAudioHeader(bytes[...]) == nil)
  }

  @Test func `frames of a free format are known by their even distance`() {
    let free: [UInt8] = [0xFF, 0xFB, 0x00, 0x00] + [UInt8](repeating: 0xAA, count: 413)
    let start = beginning([9, 9] + free + free + free + free)
    #expect(start?.isFreeFormat == true && start?.junk == 0..<2)
    #expect(beginning(free) == nil)
  }
}
