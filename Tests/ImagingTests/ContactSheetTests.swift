import Imaging
import Testing

@Suite struct ContactSheetTests {
  private static let tile = PixelSize(width: 96, height: 64)
  private static let red = SIMD4<UInt8>(255, 0, 0, 255)

  @Test func `pictures stand in rows`() {
    var sheet = ContactSheet(count: 3, style: .init(tile: Self.tile, columns: 2))
    for _ in 0..<3 { sheet.add(RGBAImage(size: Self.tile, filledWith: Self.red), label: "") }
    #expect(sheet.picture.pixels.count { $0 == Self.red } == 3 * Self.tile.area)
    #expect(sheet.picture.width < 3 * Self.tile.width)
    #expect(sheet.picture.height > 2 * Self.tile.height)
  }

  @Test func `a label is written on the ground under its picture`() {
    var sheet = ContactSheet(count: 1, style: .init(tile: Self.tile, columns: 1))
    let ground = sheet.picture
    sheet.add(ground, label: "eight-bit 07")
    let changed = zip(sheet.picture.pixels, ground.pixels).enumerated().filter { $1.0 != $1.1 }
    #expect(changed.count > 50)
    #expect(changed.allSatisfy { $0.offset / ground.width >= Self.tile.height })
  }

  @Test func `what is larger than its place is cut, and what is transparent shows the ground`() {
    var sheet = ContactSheet(count: 1, style: .init(tile: Self.tile, columns: 1))
    let large = PixelSize(width: 500, height: 500)
    sheet.add(
      RGBAImage(size: large, filledWith: Self.red), label: "a label that is far too long for it")
    #expect(sheet.picture.pixels.count { $0 == Self.red } == Self.tile.area)
    var empty = ContactSheet(count: 1, style: .init(tile: Self.tile, columns: 1))
    let ground = empty.picture
    empty.add(RGBAImage(size: Self.tile), label: "")
    #expect(empty.picture == ground)
  }
}
