/// A picture at half resolution, where 4:2:0 has its chroma: luma and chroma codes, and the coverage
/// that follows from the chroma.
struct HalfPlanes {
  /// What the codes of a picture of RGBA pixels stand for.
  static let encoding = YCbCrEncoding(matrix: .bt601, range: .full)

  private(set) var size = PixelSize(width: 1, height: 1)
  /// The mean of 2 × 2 luma codes; of 4:2:0 pictures only in blocks that are no screen.
  private(set) var luma = RowStore<UInt8>(size: PixelSize(width: 1, height: 1), filledWith: 0)
  /// Chroma codes, the ends repeated beside each row.
  private(set) var cb = RowStore<UInt8>(size: PixelSize(width: 1, height: 1), filledWith: 0)
  private(set) var cr = RowStore<UInt8>(size: PixelSize(width: 1, height: 1), filledWith: 0)
  /// The first coverage of the chroma codes; 0 in blocks that are screen.
  private(set) var coverage = RowStore<UInt8>(
    size: PixelSize(width: 1, height: 1), filledWith: 0)

  /// Takes the chroma of a 4:2:0 picture.
  mutating func load(_ picture: YUV420View) {
    begin(PixelSize(width: picture.cb.width, height: picture.cb.height))
    for y in 0..<size.height {
      cb[y].copy(picture.cb.row(y))
      cr[y].copy(picture.cr.row(y))
    }
  }

  /// Takes the mean of 2 × 2 RGBA pixels.
  mutating func load(_ picture: RGBAView) {
    let full = picture.size
    begin(PixelSize(width: (full.width + 1) / 2, height: (full.height + 1) / 2))
    for y in 0..<size.height {
      let (luma, cb, cr) = (luma[y], cb[y], cr[y])
      let (top, bottom) = (picture.row(2 * y), picture.row(min(2 * y + 1, full.height - 1)))
      for x in 0..<size.width {
        let right = min(2 * x + 1, full.width - 1)
        let sum =
          SIMD4<UInt16>(truncatingIfNeeded: top[2 * x])
          &+ SIMD4<UInt16>(truncatingIfNeeded: top[right])
          &+ SIMD4<UInt16>(truncatingIfNeeded: bottom[2 * x])
          &+ SIMD4<UInt16>(truncatingIfNeeded: bottom[right])
        let (red, green, blue) = (Float(sum.x), Float(sum.y), Float(sum.z))
        let grey = 0.299 * red + 0.587 * green + 0.114 * blue
        luma[x] = code(grey * 0.25)
        cb[x] = code((blue - grey) * 0.25 * 0.5643 + 128)
        cr[x] = code((red - grey) * 0.25 * 0.7133 + 128)
      }
    }
  }

  /// Looks up the coverage of a block of a row; `table` has an entry for each pair of codes,
  /// `Cb·256 + Cr`.
  func findCoverage(_ x: Int, row y: Int, in table: Span<UInt8>) {
    precondition(table.count == 65_536, "a table has an entry for every pair of codes")
    let (cb, cr, coverage) = (cb[y].eight(x), cr[y].eight(x), coverage[y])
    var found = SIMD8<UInt8>()
    for lane in 0..<8 {
      // In bounds: the table has as many entries as the index has values.
      found[lane] = unsafe table[unchecked: Int(cb[lane]) &<< 8 | Int(cr[lane])]
    }
    coverage.set(found, at: x)
  }

  /// Takes the mean of the luma on a block of a row.
  func averageLuma(_ x: Int, row y: Int, _ pair: LumaPair) {
    let (upper, lower) = pair.sixteen(2 * x)
    let sum = upper.evenWords &+ upper.oddWords &+ lower.evenWords &+ lower.oddWords
    luma[y].set(((sum &+ 2) &>> 2).lowBytes, at: x)
  }

  /// The luma code of a pixel.
  @inline(always)
  static func luma(of pixel: SIMD4<UInt8>) -> UInt8 {
    // The weights of BT.601 in 1/256.
    let sum = 77 * UInt16(pixel.x) + 150 * UInt16(pixel.y) + 29 * UInt16(pixel.z)
    return UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
  }

  private mutating func begin(_ size: PixelSize) {
    guard self.size != size else { return }
    self.size = size
    luma = RowStore(size: size, filledWith: 0)
    cb = RowStore(size: size, filledWith: 0)
    cr = RowStore(size: size, filledWith: 0)
    coverage = RowStore(size: size, filledWith: 0)
  }

  private func code(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: roundedToInteger(min(max(value, 0), 255)))
  }
}
