import Foundation
import ImageFiles
import Imaging
import Testing

@Suite struct PNGCheckTests {
  private func bytes(_ image: RGBAImage) throws -> [UInt8] {
    var encoder = try PNGEncoder()
    encoder.begin(size: image.size, color: .rgba)
    try encoder.write(rows: image.pixels.span)
    try encoder.finish()
    return Array(encoder.bytes)
  }

  private func code(_ bytes: [UInt8], _ depth: PNGCheck.Depth) -> ImageFileError.Code? {
    do {
      _ = try PNGCheck.check(bytes.span, depth: depth)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `the range of alpha is found`() throws {
    var image = RGBAImage(size: PixelSize(width: 4, height: 4), filledWith: SIMD4(1, 2, 3, 40))
    image[2, 3].w = 200
    let bytes = try bytes(image)
    #expect(try PNGCheck.check(bytes.span, depth: .pixels).alphaRange == 40...200)
    #expect(try PNGCheck.check(bytes.span).alphaRange == nil)
  }

  @Test func `a file cut short is malformed, wherever it is cut`() throws {
    let whole = try bytes(.mixed(PixelSize(width: 20, height: 20), seed: 1))
    for count in 0..<whole.count {
      #expect(code(Array(whole[..<count]), .structure) == .malformed, "\(count) bytes")
    }
    #expect(code(whole + [0], .structure) == .malformed)
  }

  @Test func `a changed byte is noticed, wherever it is`() throws {
    let whole = try bytes(.mixed(PixelSize(width: 20, height: 20), seed: 1))
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 0x10
      #expect(code(changed, .structure) != nil, "byte \(index)")
    }
  }

  @Test func `image data of another length is corrupt`() throws {
    let tall = try bytes(RGBAImage(size: PixelSize(width: 4, height: 5)))
    let short = try bytes(RGBAImage(size: PixelSize(width: 4, height: 4)))
    // The header of the one before the data of the other.
    let mixed = Array(tall[..<33]) + Array(short[33...])
    #expect(code(mixed, .structure) == nil)
    #expect(code(mixed, .pixels) == .corrupt)
  }

  @Test func `a file is checked where it lies`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "-a %:b.png")
      try Data(try bytes(.mixed(PixelSize(width: 9, height: 9), seed: 2))).write(to: file)
      #expect(try PNGCheck.check(path: file.path).size == PixelSize(width: 9, height: 9))
      try Data("no picture".utf8).write(to: file)
      #expect {
        try PNGCheck.check(path: file.path)
      } throws: {
        "\($0)" == "\(file.path): the file is no PNG"
      }
      #expect {
        try PNGCheck.check(path: folder.path)
      } throws: {
        ($0 as? ImageFileError)?.code == .unreadable
      }
    }
  }
}
