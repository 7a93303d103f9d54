/// A filter that makes each row from the rows near it: blurs, kernels, edges, and with no reach at all
/// whatever works on rows of 8-bit pixels, such as blends.
protocol RowFilter: Sendable {
  /// How far around a pixel its result depends on others, in a picture of a size.
  func reach(in size: PixelSize) -> RowReach

  /// Makes what filters one picture of a size, with the memory it needs for it.
  func makeWorker(for size: PixelSize) -> any RowWorker
}

/// How far around a pixel a row filter looks.
struct RowReach: Hashable, Sendable {
  /// Pixels to the left and right.
  var columns: Int
  /// Rows above and below.
  var rows: Int

  /// The pixel alone.
  static let none = RowReach(columns: 0, rows: 0)
}

/// Filters the rows of one picture, from top to bottom.
protocol RowWorker {
  /// Makes row `y` of the result; called once for each row in order.
  ///
  /// `row` has the picture's width, and every pixel of it must be written. Nothing should be
  /// allocated here.
  mutating func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>)
}

extension RowFilter where Self: RowWorker {
  /// The filter itself, which needs no memory.
  func makeWorker(for size: PixelSize) -> any RowWorker { self }
}

/// The rows around one row of a picture, with the picture's border repeated outside it.
struct RowWindow: ~Escapable {
  /// The size of the picture.
  let size: PixelSize
  /// The reach that the filter asked for.
  let reach: RowReach
  private let pixels: Span<SIMD4<UInt8>>
  private let y: Int

  @_lifetime(copy pixels)
  init(_ pixels: Span<SIMD4<UInt8>>, around y: Int, size: PixelSize, reach: RowReach) {
    self.pixels = pixels
    self.y = y
    self.size = size
    self.reach = reach
  }

  /// The row `offset` below this one (above, where negative), at most `reach.rows` away.
  ///
  /// Column x is at index `reach.columns + x`. The row begins with `reach.columns` copies of its first
  /// pixel, and ends with as many of its last one and ``ColorBlock/count`` pixels of no meaning, so
  /// that whole blocks can be read.
  @_lifetime(copy self)
  func row(_ offset: Int) -> Span<SIMD4<UInt8>> {
    let start = start(ofRow: offset)
    return pixels.extracting(start..<start + Self.length(of: size, reach: reach))
  }

  /// All rows that the window holds, for filters that read many of them side by side.
  var allRows: Span<SIMD4<UInt8>> {
    @_lifetime(copy self) get { pixels }
  }

  /// Where in ``allRows`` the row `offset` below this one begins.
  func start(ofRow offset: Int) -> Int {
    precondition(abs(offset) <= reach.rows, "a row out of reach")
    let y = min(max(y + offset, 0), size.height - 1)
    return y % Self.rows(of: size, reach: reach) * Self.length(of: size, reach: reach)
  }

  /// The pixels of a row with its borders.
  static func length(of size: PixelSize, reach: RowReach) -> Int {
    size.width + 2 * reach.columns + ColorBlock.count
  }

  /// The rows that a window holds.
  static func rows(of size: PixelSize, reach: RowReach) -> Int {
    min(2 * reach.rows + 1, size.height)
  }
}

// MARK: - Blocks of a row

extension Span<SIMD4<UInt8>> {
  /// The words of the eight pixels from `index` on, red in the lowest byte.
  @inline(__always)
  func words(at index: Int) -> SIMD8<UInt32> {
    precondition(index >= 0 && index <= count &- ColorBlock.count, "a block out of range")
    // In bounds by the check; pixels are four bytes, at any address divisible by four.
    let words = unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: index &* 4, as: SIMD8<UInt32>.self)
    #if _endian(big)
      return words.byteSwapped
    #else
      return words
    #endif
  }
}

extension MutableSpan<SIMD4<UInt8>> {
  /// Fills the row by blocks: `make` gives the words of the eight pixels from column x on.
  ///
  /// Those beyond the end of the row are left out.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func fillBlocks(_ make: (_ x: Int) -> SIMD8<UInt32>) {
    let count = count
    unsafe withUnsafeMutableBytes { bytes in
      // Called in one place, so that it becomes part of the loop.
      for x in stride(from: 0, to: count, by: ColorBlock.count) {
        let words = make(x)
        if x <= count &- ColorBlock.count {
          // In bounds: a whole block inside the row.
          unsafe bytes.storeBytes(of: words, toByteOffset: x &* 4, as: SIMD8<UInt32>.self)
        } else {
          for rest in x..<count {
            unsafe bytes.storeBytes(of: words[rest &- x], toByteOffset: rest &* 4, as: UInt32.self)
          }
        }
      }
    }
  }
}
