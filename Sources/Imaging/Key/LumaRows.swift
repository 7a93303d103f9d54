/// Luma rows of a picture around the line of chroma at hand and the rows that are solved.
struct LumaRows {
  /// Rows kept: from the one above those that are solved to those that slopes of chroma ahead of them
  /// are fitted to.
  private static let kept = 32
  private var rows: RowStore<UInt8>
  private let width: Int
  private var loaded = 0..<0
  /// The samples that are loaded.
  private var columns = 0..<0

  /// Makes room for rows of `width` samples.
  init(width: Int) {
    self.width = width
    columns = 0..<width
    rows = RowStore(ring: Self.kept, width: (width + 1) & ~1, filledWith: 0)
  }

  /// Begins another picture, of which blocks in some columns are looked at.
  mutating func begin(columns: Range<Int>) {
    loaded = 0..<0
    // And a block on either side, for what looks at neighbours.
    let unit = 2 * BlockMap.width
    self.columns =
      max(0, (columns.lowerBound - 1) * unit)..<min((columns.upperBound + 1) * unit, width)
  }

  /// Row `y`, which must be loaded.
  subscript(y: Int) -> SampleRow<UInt8> {
    @inline(always) get { rows[y] }
  }

  /// Loads the rows under lines `lines` of chroma; below an odd height the last row stands once more.
  mutating func load(lines: ClosedRange<Int>, of picture: YUV420View) {
    let wanted = 2 * lines.lowerBound..<2 * lines.upperBound + 2
    precondition(wanted.count <= Self.kept, "too many rows at once")
    let isNext = loaded.contains(wanted.lowerBound) || loaded.upperBound == wanted.lowerBound
    let first = isNext ? loaded.upperBound : wanted.lowerBound
    for y in first..<max(first, wanted.upperBound) {
      rows[y].copy(picture.luma.row(min(y, picture.luma.height - 1)), columns)
    }
    let end = max(first, wanted.upperBound)
    loaded = max(isNext ? loaded.lowerBound : first, end - Self.kept)..<end
  }
}

extension LumaRows {
  /// Repeats the ends of a row whose samples were set one by one.
  func repeatEnds(row y: Int) {
    let row = self[y]
    row.fill(-2 * BlockMap.width..<0, with: row[0])
    row.fill(width..<width + 2 * BlockMap.width, with: row[width - 1])
  }
}

/// The two luma rows of a line of chroma as they lie in the picture.
struct LumaPair: ~Escapable {
  private let top, bottom: Span<UInt8>

  /// The rows of line `y`; below an odd height the last row stands once more.
  @_lifetime(copy picture)
  init(line y: Int, of picture: YUV420View) {
    top = picture.luma.row(2 * y)
    bottom = picture.luma.row(min(2 * y + 1, picture.luma.height - 1))
  }

  /// Sixteen samples of each from a place on, the last one repeated beyond the end.
  @inline(always)
  func sixteen(_ x: Int) -> (top: SIMD16<UInt8>, bottom: SIMD16<UInt8>) {
    precondition(x >= 0, "place out of range")
    guard x + 16 <= top.count else { return end(x) }
    // In bounds by the check above, the rows being of one length; any bytes are a vector.
    return unsafe (
      top.bytes.unsafeLoadUnaligned(fromByteOffset: x, as: SIMD16<UInt8>.self),
      bottom.bytes.unsafeLoadUnaligned(fromByteOffset: x, as: SIMD16<UInt8>.self)
    )
  }

  private func end(_ x: Int) -> (top: SIMD16<UInt8>, bottom: SIMD16<UInt8>) {
    var samples = (top: SIMD16<UInt8>(), bottom: SIMD16<UInt8>())
    for lane in 0..<16 {
      let place = min(x + lane, top.count - 1)
      (samples.top[lane], samples.bottom[lane]) = (top[place], bottom[place])
    }
    return samples
  }
}
