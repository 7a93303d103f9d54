/// Makes each pixel the greatest or the least of a square around it, channel by channel.
///
/// First down and then along, as a square allows.
struct ExtremeFilter: RowFilter {
  /// What is taken of the pixels.
  enum Extreme: Sendable {
    case greatest, least
  }

  /// What becomes of the channels.
  enum Channels: Sendable {
    /// Red is shown in gray, opaque.
    case red
    /// Colours are kept, as is the alpha of the pixel.
    case colors
  }

  let extreme: Extreme
  /// How far the square reaches from its middle.
  let radius: Int
  let channels: Channels

  func reach(in size: PixelSize) -> RowReach { RowReach(columns: radius, rows: radius) }

  func makeWorker(for size: PixelSize) -> any RowWorker {
    Worker(filter: self, width: size.width)
  }

  private struct Worker: RowWorker {
    private let filter: ExtremeFilter
    /// The extremes of the columns, with those of the borders, and a block more.
    private var line: [SIMD4<UInt8>]
    /// Where the rows begin that are looked at, in bytes.
    private var places: [Int]

    init(filter: ExtremeFilter, width: Int) {
      self.filter = filter
      let blocks = (width + 2 * filter.radius + ColorBlock.count - 1) / ColorBlock.count
      line = [SIMD4<UInt8>](repeating: .zero, count: (blocks + 1) * ColorBlock.count)
      places = [Int](repeating: 0, count: 2 * filter.radius + 1)
    }

    mutating func makeRow(
      _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
    ) {
      for index in places.indices {
        places[index] = 4 * window.start(ofRow: index - filter.radius)
      }
      switch filter.extreme {
      case .greatest: makeRow(from: window, into: &row) { $0.maximum(with: $1) }
      case .least: makeRow(from: window, into: &row) { $0.minimum(with: $1) }
      }
    }

    /// `extreme` gives the extremes of the bytes of two vectors.
    @inline(__always)
    private mutating func makeRow(
      from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>,
      extreme: (Bytes, Bytes) -> Bytes
    ) {
      let places = places
      fillLine(from: window.allRows, at: places.span, extreme: extreme)
      let (channels, line, here) = (filter.channels, line, window.row(0))
      let pixels = line.span
      let bytes = unsafe pixels.bytes
      let radius = filter.radius
      precondition(line.count >= row.count + 2 * radius + ColorBlock.count, "a line too short")
      row.fillBlocks { x in
        // In bounds by the precondition.
        var result = unsafe bytes.extremeBytes(at: 4 &* x)
        for column in 1...2 &* radius {
          result = extreme(result, unsafe bytes.extremeBytes(at: 4 &* (x &+ column)))
        }
        return channels.words(result.words, of: here.words(at: x &+ radius))
      }
    }

    /// Finds the extremes of the columns.
    @inline(__always)
    private mutating func fillLine(
      from pixels: Span<SIMD4<UInt8>>, at places: Span<Int>, extreme: (Bytes, Bytes) -> Bytes
    ) {
      let bytes = unsafe pixels.bytes
      var line = line.mutableSpan
      for block in 0..<line.count / ColorBlock.count - 1 {
        // In bounds: rows end with room for a block.
        var result = unsafe bytes.extremeBytes(at: places[unchecked: 0] &+ 32 &* block)
        for row in 1..<places.count {
          let place = unsafe places[unchecked: row] &+ 32 &* block
          result = extreme(result, unsafe bytes.extremeBytes(at: place))
        }
        unsafe line.setBlock(block, to: result.words)
      }
    }
  }
}

/// The bytes of eight pixels, in vectors of a size for which comparing and replacing is made one
/// instruction.
private struct Bytes {
  let first: SIMD16<UInt8>
  let second: SIMD16<UInt8>

  @inline(__always)
  func maximum(with other: Bytes) -> Bytes {
    Bytes(
      first: first.replacing(with: other.first, where: other.first .> first),
      second: second.replacing(with: other.second, where: other.second .> second))
  }

  @inline(__always)
  func minimum(with other: Bytes) -> Bytes {
    Bytes(
      first: first.replacing(with: other.first, where: other.first .< first),
      second: second.replacing(with: other.second, where: other.second .< second))
  }

  /// The words of the pixels.
  var words: SIMD8<UInt32> {
    @inline(__always) get {
      // Both are eight pixels of four bytes.
      unsafe unsafeBitCast((first, second), to: SIMD8<UInt32>.self)
    }
  }
}

extension RawSpan {
  /// The bytes of eight pixels from `offset` on, which is not checked.
  @unsafe @inline(__always)
  fileprivate func extremeBytes(at offset: Int) -> Bytes {
    unsafe Bytes(
      first: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self),
      second: unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 16, as: SIMD16<UInt8>.self))
  }
}

extension ExtremeFilter.Channels {
  /// The words of eight pixels, of the extremes and the pixels themselves.
  @inline(__always)
  fileprivate func words(_ extremes: SIMD8<UInt32>, of pixels: SIMD8<UInt32>) -> SIMD8<UInt32> {
    let alpha = SIMD8<UInt32>(repeating: 0xff00_0000)
    switch self {
    case .red:
      let red = extremes & SIMD8(repeating: 0xff)
      return red | red &<< 8 | red &<< 16 | alpha
    case .colors: return (extremes & ~alpha) | (pixels & alpha)
    }
  }
}
