/// A colour for each of 64 reds, greens and blues.
///
/// Packed so that neighbours of a colour are near it in memory: red goes fastest, then green.
struct ColorCube: Sendable {
  /// Colours along each side.
  private static let side = 64
  /// Tiles in a row of a table, and their rows.
  private static let tiles = 8

  /// Little-endian words of pixels.
  private let words: [UInt32]

  /// Takes a table of 8×8 tiles in reading order, one for each blue.
  ///
  /// In a tile red goes right and green down. A table that is not 512×512 pixels large is scaled to that.
  init(table: RGBAImage) {
    let length = Self.side * Self.tiles
    let size = PixelSize(width: length, height: length)
    let table = table.size == size ? table : Self.scaled(table, to: size)
    let pixels = table.pixels.span
    var words: [UInt32] = []
    words.reserveCapacity(pixels.count)
    for blue in 0..<Self.side {
      let (row, column) = blue.quotientAndRemainder(dividingBy: Self.tiles)
      for green in 0..<Self.side {
        let start = (row * Self.side + green) * length + column * Self.side
        for x in start..<start + Self.side {
          words.append(unsafe unsafeBitCast(pixels[x], to: UInt32.self))
        }
      }
    }
    self.words = words
  }

  private static func scaled(_ table: RGBAImage, to size: PixelSize) -> RGBAImage {
    let sampler = PictureSampler(table)
    var row = [SIMD4<UInt8>](repeating: .zero, count: size.width)
    return RGBAImage(size: size) { y, output in
      var pixels = row.mutableSpan
      pixels.fillBlocks { x in
        let place = BlockPlace(x: x, y: y, in: size)
        return sampler.sample(u: place.u, v: place.v).words
      }
      for x in row.indices { output.append(row[x]) }
    }
  }

  /// Runs `body` with what reads the cube as fast as can be.
  @inline(__always)
  func withReader<Result>(_ body: (Reader) -> Result) -> Result {
    unsafe words.withUnsafeBytes { words in
      guard let base = words.baseAddress else { preconditionFailure("a cube has colours") }
      return body(unsafe Reader(base: base))
    }
  }

  /// Maps colours by a cube, as long as the cube's memory is held for it.
  @safe struct Reader: PointFilter {
    fileprivate nonisolated(unsafe) let base: UnsafeRawPointer

    @inline(__always)
    func apply(to block: inout ColorBlock, at place: BlockPlace) {
      let (red, green, blue) = (Place(block.red), Place(block.green), Place(block.blue))
      let first = (red.index &+ green.index &<< 6 &+ blue.index &<< 12) &<< 2
      let low = square(first, 0).mixed(red.share, green.share)
      let high = square(first, 4 * 64 * 64).mixed(red.share, green.share)
      block.red = low.red + (high.red - low.red) * blue.share
      block.green = low.green + (high.green - low.green) * blue.share
      block.blue = low.blue + (high.blue - low.blue) * blue.share
    }

    /// The cube's colour before each value of a channel, of those that have one behind them, and the
    /// share of that one.
    private struct Place {
      let index: SIMD8<Int32>
      let share: Lanes

      @inline(__always)
      init(_ channel: Lanes) {
        let position = channel.clampedToUnit * 63
        // The sum of 1.5·2²³ holds the whole number in its bits. On a colour of the cube itself it may
        // be the one before; the share is 1 then, and the mix the same.
        let whole = Lanes(bits: SIMD8(repeating: 0x4b40_0000))
        let sum = position - 0.5 + whole
        index = sum.bits &- whole.bits
        share = position - (sum - whole)
      }
    }

    /// Four neighbours in red and green, `offset` bytes behind the first of them.
    @inline(__always)
    private func square(_ first: SIMD8<Int32>, _ offset: Int) -> PixelCorners {
      // In bounds: indices are 0…62, and neighbours lead to 63 at most.
      let top = unsafe PixelPairs(base + offset, first)
      let bottom = unsafe PixelPairs(base + offset + 256, first)
      return PixelCorners(
        topLeft: top.first, topRight: top.second, bottomLeft: bottom.first,
        bottomRight: bottom.second)
    }
  }
}
