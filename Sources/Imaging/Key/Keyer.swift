/// Keys pictures by one plan.
///
/// Works on tiles of rows, so that a picture need never be held keyed as a whole. Holds the plan's
/// tables and the scratch rows; belongs to one thread at a time.
public final class Keyer {
  /// What the keyer does.
  public let plan: KeyPlan
  /// The rule that gives a colour its alpha.
  let rule: MatteRule
  /// What follows from the encoding of the 4:2:0 picture seen last.
  var tables: EncodingTables?
  /// The chroma of the row at hand.
  var chroma = ChromaRow()
  /// The colour of the row at hand.
  var color = ColorRow()
  /// The packed chroma codes of the row at hand.
  var codes: [UInt16] = []
  /// The alpha of the row at hand.
  var alpha: [UInt8] = []
  /// Scratch space of the row at hand.
  private var coverage: [Float] = []
  /// The matte of the tile at hand and the rows it needs around it, where it is shaped.
  var matte: MatteTile
  /// What is done to the colours at the edges; `nil` where they stay as they are.
  var edges: EdgeCleaner?

  /// Makes the keyer of a plan.
  public init(_ plan: KeyPlan) {
    self.plan = plan
    rule = MatteRule(plan)
    edges = EdgeCleaner(plan)
    matte = MatteTile(plan.settings, reach: edges == nil ? 0 : EdgeCleaner.reach)
  }

  /// Whether alpha and colour of a pixel follow from that pixel alone.
  var isPointwise: Bool { matte.margin == 0 && edges == nil }

  /// Keys some rows of a 4:2:0 picture.
  ///
  /// `pixels` gets the rows' straight RGBA without padding, zero in all channels where alpha is zero.
  /// Any rows give what keying the whole picture gives there.
  public func key(
    rows: Range<Int>, of picture: YUV420View, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let size = picture.size
    precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "rows out of range")
    precondition(pixels.count == rows.count * size.width, "the pixels must fill the rows")
    prepare(for: picture)
    if isPointwise {
      for y in rows {
        keyRow(y, of: picture, into: &pixels, at: (y - rows.lowerBound) * size.width)
      }
      return
    }
    shapeMatte(rows: rows, of: picture)
    for y in rows {
      let start = (y - rows.lowerBound) * size.width
      convertRow(y, of: picture, into: &pixels, at: start)
      edges?.clean(row: y, by: matte, in: &pixels, at: start, width: size.width)
    }
  }

  /// Keys some rows of a picture of RGBA pixels, whose own alpha is multiplied in.
  public func key(
    rows: Range<Int>, of picture: RGBAView, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let size = picture.size
    precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "rows out of range")
    precondition(pixels.count == rows.count * size.width, "the pixels must fill the rows")
    shapeMatte(rows: rows, of: picture)
    for y in rows {
      let start = (y - rows.lowerBound) * size.width
      cut(
        picture.row(y), by: matte.rows, alphaStart: matte.start(ofRow: y), into: &pixels, at: start)
      edges?.clean(row: y, by: matte, in: &pixels, at: start, width: size.width)
    }
  }

  /// Makes the matte alone of some rows of a 4:2:0 picture, a byte a pixel.
  public func matte(
    rows: Range<Int>, of picture: YUV420View, into alpha: inout MutableSpan<UInt8>
  ) {
    let size = picture.size
    precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "rows out of range")
    precondition(alpha.count == rows.count * size.width, "the bytes must fill the rows")
    prepare(for: picture)
    shapeMatte(rows: rows, of: picture)
    matte.copy(rows, into: &alpha)
  }

  /// Makes the matte alone of some rows of a picture of RGBA pixels, a byte a pixel.
  public func matte(
    rows: Range<Int>, of picture: RGBAView, into alpha: inout MutableSpan<UInt8>
  ) {
    let size = picture.size
    precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "rows out of range")
    precondition(alpha.count == rows.count * size.width, "the bytes must fill the rows")
    shapeMatte(rows: rows, of: picture)
    matte.copy(rows, into: &alpha)
  }

  private func shapeMatte(rows: Range<Int>, of picture: YUV420View) {
    for y in matte.begin(rows: rows, of: picture.size) {
      alphaRow(y, of: picture)
      matte.append(alpha)
    }
    matte.shape()
  }

  private func shapeMatte(rows: Range<Int>, of picture: RGBAView) {
    if alpha.count != picture.size.width {
      alpha = [UInt8](repeating: 0, count: picture.size.width)
    }
    if coverage.count != picture.size.width {
      coverage = [Float](repeating: 0, count: picture.size.width)
    }
    for y in matte.begin(rows: rows, of: picture.size) {
      rule.apply(to: picture.row(y), coverage: &coverage, into: &alpha)
      matte.append(alpha)
    }
    matte.shape()
  }
}

/// Gives a row of pixels the alpha at `alphaStart`, zero in all channels where it is zero.
private func cut(
  _ row: Span<SIMD4<UInt8>>, by alpha: [UInt8], alphaStart: Int,
  into pixels: inout MutableSpan<SIMD4<UInt8>>, at start: Int
) {
  let alpha = alpha.span
  precondition(alphaStart >= 0 && alphaStart + row.count <= alpha.count, "rows must agree")
  precondition(start >= 0 && start + row.count <= pixels.count, "rows must agree")
  for x in row.indices {
    // In bounds by the checks above; words, because bytes are not made vectors.
    let a = unsafe alpha[unchecked: alphaStart &+ x]
    let color = unsafe unsafeBitCast(row[x], to: UInt32.self).littleEndian & 0xff_ffff
    let packed = (color | UInt32(a) &<< 24) & (a == 0 ? 0 : .max)
    unsafe pixels[unchecked: start &+ x] = unsafeBitCast(
      packed.littleEndian, to: SIMD4<UInt8>.self)
  }
}
