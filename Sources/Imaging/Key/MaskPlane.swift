/// How much of each pixel of a picture a mask covers.
public struct MaskPlane: Hashable, Sendable {
  /// The size of the picture.
  public let size: PixelSize
  /// Coverage 0…255, row by row.
  private(set) var samples: [UInt8]

  /// Covers nothing of a picture of a size.
  init(_ size: PixelSize) {
    self.size = size
    samples = [UInt8](repeating: 0, count: size.area)
  }

  /// Takes how white the pixels of a picture are; transparent ones are black.
  public init(_ image: RGBAImage) {
    size = image.size
    samples = image.pixels.map { pixel in
      // The luma of BT.601 in 1/256.
      let grey = (UInt32(pixel.x) * 77 + UInt32(pixel.y) * 150 + UInt32(pixel.z) * 29 + 128) >> 8
      return UInt8((grey * UInt32(pixel.w) + 127) / 255)
    }
  }

  /// Whether every pixel is covered whole.
  var isWhole: Bool { samples.allSatisfy { $0 == 255 } }

  /// The coverage of one row of pixels, the first of which is at the top.
  @_lifetime(borrow self) func row(_ y: Int) -> Span<UInt8> {
    samples.span.extracting(y * size.width..<(y + 1) * size.width)
  }

  /// Whether anything of a row is covered.
  func covers(_ y: Int) -> Bool {
    let row = row(y)
    var any: UInt8 = 0
    for x in row.indices { any |= row[x] }
    return any != 0
  }

  /// The same for a picture of another size, by the nearest sample.
  func resized(to other: PixelSize) -> MaskPlane {
    guard size != other else { return self }
    var resized = MaskPlane(other)
    for y in 0..<other.height {
      let start = y * size.height / other.height * size.width
      for x in 0..<other.width {
        resized.samples[y * other.width + x] = samples[start + x * size.width / other.width]
      }
    }
    return resized
  }

  /// Covers what another of the same size covers.
  mutating func add(_ other: MaskPlane) {
    for i in samples.indices { samples[i] = max(samples[i], other.samples[i]) }
  }

  /// Covers the inside of a polygon.
  mutating func add(_ polygon: PolygonCoverage) {
    var polygon = polygon
    for y in 0..<size.height where polygon.cover(y) {
      for x in 0..<size.width {
        let i = y * size.width + x
        samples[i] = max(samples[i], polygon.samples[x])
      }
    }
  }
}
