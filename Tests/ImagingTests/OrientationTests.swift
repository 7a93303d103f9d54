import Imaging
import Testing

@Suite struct OrientationTests {
  /// A picture of 3 × 2 different pixels.
  private let picture = RGBAImage(
    size: PixelSize(width: 3, height: 2),
    pixels: (0..<6).map { SIMD4(UInt8($0), 0, 0, 255) })

  /// The upright picture by EXIF value, as rows of the stored picture's pixel numbers: the value names
  /// the sides of the upright picture at which the stored row 0 and column 0 are.
  private static let upright: [Int: [[UInt8]]] = [
    1: [[0, 1, 2], [3, 4, 5]], 2: [[2, 1, 0], [5, 4, 3]], 3: [[5, 4, 3], [2, 1, 0]],
    4: [[3, 4, 5], [0, 1, 2]], 5: [[0, 3], [1, 4], [2, 5]], 6: [[3, 0], [4, 1], [5, 2]],
    7: [[5, 2], [4, 1], [3, 0]], 8: [[2, 5], [1, 4], [0, 3]],
  ]

  @Test(arguments: 1...8)
  func `a picture is made upright by its EXIF value`(value: Int) throws {
    let orientation = try #require(Orientation(exif: value))
    let result = picture.oriented(by: orientation)
    let rows = try #require(Self.upright[value])
    #expect(result.size == PixelSize(width: rows[0].count, height: rows.count))
    #expect(result.pixels.map(\.x) == rows.flatMap { $0 })
    #expect(orientation.exif == value)
  }

  @Test func `one orientation after another is one orientation`() throws {
    for first in 1...8 {
      for second in 1...8 {
        let a = try #require(Orientation(exif: first))
        let b = try #require(Orientation(exif: second))
        let twice = picture.oriented(by: a).oriented(by: b)
        #expect(picture.oriented(by: a.followed(by: b)) == twice, "\(first) then \(second)")
      }
    }
  }

  @Test(arguments: [0, 9, -1, 65_535])
  func `a value outside 1 to 8 is no orientation`(value: Int) {
    #expect(Orientation(exif: value) == nil)
  }
}
