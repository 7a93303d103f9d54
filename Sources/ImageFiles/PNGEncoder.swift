public import Imaging

/// Encodes pictures as PNG, one after the other, into a buffer that is used again.
///
/// Rows are filtered and compressed as they come, in tiles of any height; a picture need not exist as
/// a whole. Once its buffers have grown to the largest picture nothing is allocated any more. One
/// encoder belongs to one thread at a time.
///
///     encoder.begin(size: size, color: .rgba)
///     try encoder.write(rows: tile)          // as often as there are tiles
///     try encoder.finish()                   // now encoder.bytes is the file
///
/// Source: Portable Network Graphics (PNG) Specification, 3rd edition, W3C.
public struct PNGEncoder: ~Copyable {
  private let compressor: any ZlibCompressor
  private let compression: PNGCompression
  private var output = PNGOutput()
  private var size = PixelSize(width: 0, height: 0)
  private var color = PNGColorType.rgba
  private var rowsWritten = 0
  /// The row at hand and the one above it, as samples.
  private var row: [UInt8] = []
  private var rowAbove: [UInt8] = []
  /// The filtered rows of the tile at hand, each behind the number of its filter.
  private var filtered: [UInt8] = []

  /// Makes an encoder.
  ///
  /// - Throws: `encoderFailed` where there is no memory for the compressor.
  public init(compression: PNGCompression = .fast) throws(ImageFileError) {
    self.compression = compression
    switch compression {
    case .fast: compressor = IgzipCompressor()
    case .small(let level): compressor = try LibdeflateCompressor(level: level)
    }
  }

  /// The bytes of the file; whole after ``finish()``, until the next picture is begun.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { output.bytes.span.extracting(first: output.count) }
  }

  /// Begins a picture and forgets the one before.
  ///
  /// With `isSRGB` an `sRGB` chunk says how the colours are meant. Each `text` is written as a `tEXt`
  /// chunk, in Latin-1.
  public mutating func begin(
    size: PixelSize, color: PNGColorType, isSRGB: Bool = false,
    text: [(keyword: String, text: String)] = []
  ) {
    precondition(size.width > 0 && size.height > 0, "a picture has at least one pixel")
    self.size = size
    self.color = color
    rowsWritten = 0
    let rowBytes = size.width * color.channels
    resize(&row, to: rowBytes)
    resize(&rowAbove, to: rowBytes)
    for i in rowAbove.indices { rowAbove[i] = 0 }
    filtered.removeAll(keepingCapacity: true)
    compressor.reset()
    output.begin(size: size, color: color, isSRGB: isSRGB, text: text)
  }

  /// Adds whole rows of RGBA pixels to an `rgba` picture, or to an `rgb` one without their alpha.
  public mutating func write(rows pixels: Span<SIMD4<UInt8>>) throws(ImageFileError) {
    precondition(color != .gray, "a grey picture has rows of samples")
    let count = beginTile(pixels.count)
    for y in 0..<count {
      let line = pixels.extracting(y * size.width..<(y + 1) * size.width)
      if color == .rgba {
        // Safe: a pixel is four bytes without padding.
        copySamples(unsafe Span<UInt8>(_bytes: line.bytes), into: &row)
      } else {
        dropAlpha(line, into: &row)
      }
      filterRow()
    }
    try compressTile()
  }

  /// Adds whole rows of grey samples to a `gray` picture.
  public mutating func write(rows samples: Span<UInt8>) throws(ImageFileError) {
    precondition(color == .gray, "a coloured picture has rows of pixels")
    let count = beginTile(samples.count)
    for y in 0..<count {
      copySamples(samples.extracting(y * size.width..<(y + 1) * size.width), into: &row)
      filterRow()
    }
    try compressTile()
  }

  /// Completes the file, all of whose rows must have been written, and returns its length in bytes.
  @discardableResult
  public mutating func finish() throws(ImageFileError) -> Int {
    precondition(rowsWritten == size.height, "all rows must be written")
    try compressor.finish(filtered, into: &output)
    output.finish()
    return output.count
  }

  /// Counts the rows of a tile in.
  private mutating func beginTile(_ pixelCount: Int) -> Int {
    let (count, rest) = pixelCount.quotientAndRemainder(dividingBy: size.width)
    precondition(rest == 0, "a tile has whole rows")
    precondition(rowsWritten + count <= size.height, "there are more rows than the picture has")
    rowsWritten += count
    return count
  }

  private mutating func filterRow() {
    let filter: PNGRowFilter
    switch compression {
    case .fast: filter = .up
    case .small: filter = .best(for: row, above: rowAbove, channels: color.channels)
    }
    filter.append(row, above: rowAbove, channels: color.channels, to: &filtered)
    swap(&row, &rowAbove)
  }

  private mutating func compressTile() throws(ImageFileError) {
    let isDone = try compressor.compress(filtered, into: &output)
    if isDone { filtered.removeAll(keepingCapacity: true) }
  }
}

/// Makes an array have a length without giving up its storage.
private func resize(_ array: inout [UInt8], to count: Int) {
  if array.count > count { array.removeLast(array.count - count) }
  array.append(contentsOf: repeatElement(0, count: count - array.count))
}

private func copySamples(_ samples: Span<UInt8>, into row: inout [UInt8]) {
  var row = row.mutableSpan
  precondition(row.count == samples.count, "a row must be whole")
  for i in row.indices { row[i] = samples[i] }
}

private func dropAlpha(_ pixels: Span<SIMD4<UInt8>>, into row: inout [UInt8]) {
  var row = row.mutableSpan
  precondition(row.count == pixels.count * 3, "a row must be whole")
  for x in pixels.indices {
    let pixel = pixels[x]
    row[3 * x] = pixel.x
    row[3 * x + 1] = pixel.y
    row[3 * x + 2] = pixel.z
  }
}
