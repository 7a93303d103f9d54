import Testing

@testable import Imaging

@Suite struct MatteShaperTests {
  /// A white square of 5 × 5 in the middle of 11 × 11.
  private let width = 11
  private var square: [UInt8] {
    (0..<121).map { (3...7).contains($0 % 11) && (3...7).contains($0 / 11) ? 255 : 0 }
  }

  private func shaped(_ matte: [UInt8], choke: Float, feather: Float) -> [UInt8] {
    var (matte, scratch) = (matte, matte)
    MatteShaper(KeySettings(choke: choke, feather: feather)).shape(
      &matte, scratch: &scratch, width: width)
    return matte
  }

  @Test func `clipping sets the ends and stretches what is between`() {
    var matte = [UInt8](0...255)
    var scratch = matte
    let settings = KeySettings(clipBlack: 0.2, clipWhite: 0.8)
    MatteShaper(settings).shape(&matte, scratch: &scratch, width: 256)
    for alpha in 0...255 {
      let wanted = min(max((Float(alpha) / 255 - 0.2) / 0.6, 0), 1) * 255
      #expect(abs(Float(matte[alpha]) - wanted) <= 0.5)
    }
  }

  private func area(_ matte: [UInt8]) -> Int { matte.reduce(0) { $0 + Int($1) } }

  @Test(arguments: [(1, 9), (2, 1), (3, 0), (-1, 49), (-3, 121)] as [(Float, Int)])
  func `a choke takes whole pixels off every side`(choke: Float, pixels: Int) {
    #expect(area(shaped(square, choke: choke, feather: 0)) == pixels * 255)
  }

  @Test func `a choke of half a pixel is half way to a whole one`() {
    let half = shaped(square, choke: 0.5, feather: 0)
    #expect(half[3 * 11 + 3] == 128 || half[3 * 11 + 3] == 127)
    #expect(half[4 * 11 + 4] == 255)
  }

  @Test func `a feather keeps the area and falls off evenly`() {
    let soft = shaped(square, choke: 0, feather: 2)
    #expect(abs(area(soft) - 25 * 255) < 121)
    let row = Array(soft[55..<66])
    #expect(row == row.reversed())
    #expect(row[1] > 0 && row[1] < row[2] && row[2] < row[3] && row[3] < row[4])
  }

  @Test func `a matte that is full or empty stays so`() {
    for value in [UInt8(0), 255] {
      let flat = [UInt8](repeating: value, count: 121)
      #expect(shaped(flat, choke: 2.5, feather: 3) == flat)
    }
  }
}
