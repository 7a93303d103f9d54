/// Keys pictures by one plan.
///
/// A picture is begun and then keyed in tiles of rows, so that it need never be held keyed as a whole.
/// Holds the plan's tables and the scratch rows; belongs to one thread at a time.
public final class Keyer {
  /// What the keyer does.
  public let plan: KeyPlan
  /// The rule that gives a colour its alpha.
  let rule: MatteRule
  /// What follows from the encoding of the 4:2:0 picture seen last.
  var tables: CodeTables?
  /// The chroma of the row at hand.
  var chroma = ChromaRow()
  /// The colour of the row at hand.
  var color = ColorRow()
  /// The packed chroma codes of the row at hand.
  var codes: [UInt16] = []
  /// The alpha of the row at hand.
  var alpha: [UInt8] = []
  /// Scratch space of the row at hand.
  private var scratch: [Float] = []
  /// The matte of the tile at hand and the rows it needs around it, where it is shaped.
  var matte: MatteTile
  /// What makes matte and colours of mode `clean`; `nil` in the other.
  private var clean: CleanStage?
  private var masks: MaskStage
  private var cleanPixels: [SIMD4<UInt8>] = []
  private var spread = ColorSpread()
  /// What is written, where that is not what was solved.
  private var recount: MatteRecount?

  /// Makes the keyer of a plan.
  ///
  /// Where pictures come in pieces, uneven light must not be evened: each piece would be judged by itself.
  public init(_ plan: KeyPlan, evensLight: Bool = true) {
    self.plan = plan
    rule = MatteRule(plan)
    clean =
      plan.settings.mode == .clean && !plan.screens.isEmpty
      ? CleanStage(plan, rule: rule, evensLight: evensLight) : nil
    matte = MatteTile(plan.settings)
    masks = MaskStage(plan)
  }

  /// What became of the rows keyed since a picture was begun.
  ///
  /// `nil` in mode `gpuimage` and without a screen.
  public var tally: MatteTally? {
    guard let solved = clean?.tally else { return nil }
    return recount?.tally(explainedAs: solved) ?? solved
  }

  /// Begins a 4:2:0 picture, before any of its rows are keyed.
  public func begin(_ picture: YUV420View) {
    guard clean != nil else { return prepare(for: picture) }
    recount = matte.isPlain && masks.isIdle ? nil : MatteRecount()
    clean?.begin(picture)
  }

  /// Begins a picture of RGBA pixels, before any of its rows are keyed.
  public func begin(_ picture: RGBAView) {
    recount = MatteRecount()
    clean?.begin(picture)
    let width = picture.size.width
    if alpha.count != width { alpha = [UInt8](repeating: 0, count: width) }
    if scratch.count != width { scratch = [Float](repeating: 0, count: width) }
  }

  /// Keys some rows of the 4:2:0 picture that was begun.
  ///
  /// `pixels` gets the rows' straight RGBA without padding, zero in all channels where alpha is zero.
  /// Any rows give what keying the whole picture gives there.
  public func key(
    rows: Range<Int>, of picture: YUV420View, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let size = picture.size
    precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "rows out of range")
    precondition(pixels.count == rows.count * size.width, "the pixels must fill the rows")
    makePixels(rows: rows, of: picture, into: &pixels)
    if !masks.isIdle { masks.apply(to: &pixels, rows: rows, of: picture, &chroma, &color) }
    recount?.add(pixels.span)
  }

  /// Keys some rows of the picture of RGBA pixels that was begun, whose own alpha is multiplied in.
  public func key(
    rows: Range<Int>, of picture: RGBAView, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let size = picture.size
    precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "rows out of range")
    precondition(pixels.count == rows.count * size.width, "the pixels must fill the rows")
    makePixels(rows: rows, of: picture, into: &pixels)
    if !masks.isIdle { masks.apply(to: &pixels, rows: rows, of: picture) }
    recount?.add(pixels.span)
  }

  /// Makes the matte alone of some rows of the 4:2:0 picture that was begun, a byte a pixel.
  public func matte(
    rows: Range<Int>, of picture: YUV420View, into alpha: inout MutableSpan<UInt8>
  ) {
    let size = picture.size
    precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "rows out of range")
    precondition(alpha.count == rows.count * size.width, "the bytes must fill the rows")
    shapeMatte(rows: rows, of: picture, isAlone: true)
    matte.copy(rows, into: &alpha)
    if !masks.isIdle { masks.apply(to: &alpha, rows: rows, size: size) }
    recount?.add(alpha.span)
  }

  /// Makes the matte alone of some rows of the picture of RGBA pixels that was begun, a byte a pixel.
  public func matte(
    rows: Range<Int>, of picture: RGBAView, into alpha: inout MutableSpan<UInt8>
  ) {
    let size = picture.size
    precondition(rows.lowerBound >= 0 && rows.upperBound <= size.height, "rows out of range")
    precondition(alpha.count == rows.count * size.width, "the bytes must fill the rows")
    shapeMatte(rows: rows, of: picture)
    matte.copy(rows, into: &alpha)
    if !masks.isIdle { masks.apply(to: &alpha, rows: rows, of: picture) }
    recount?.add(alpha.span)
  }

  // MARK: The steps

  private func makePixels(
    rows: Range<Int>, of picture: YUV420View, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    if clean != nil, matte.isPlain {
      clean?.solve(rows: rows, of: picture, into: &pixels)
      return
    }
    let width = picture.size.width
    shapeMatte(rows: rows, of: picture)
    if clean != nil { return cutClean(rows, width: width, into: &pixels) }
    for y in rows {
      let start = (y - rows.lowerBound) * width
      if matte.isPlain {
        keyRow(y, of: picture, into: &pixels, at: start)
      } else {
        convertRow(y, of: picture, into: &pixels, at: start)
      }
    }
  }

  private func makePixels(
    rows: Range<Int>, of picture: RGBAView, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    if clean != nil, matte.isPlain {
      clean?.solve(rows: rows, of: picture, into: &pixels)
      return
    }
    let width = picture.size.width
    shapeMatte(rows: rows, of: picture)
    if clean != nil { return cutClean(rows, width: width, into: &pixels) }
    for y in rows {
      cut(
        picture.row(y), by: matte.rows, alphaStart: matte.start(ofRow: y), into: &pixels,
        at: (y - rows.lowerBound) * width)
    }
  }

  /// Makes the matte of rows, but not where alpha and colour of a pixel are made in one go.
  private func shapeMatte(rows: Range<Int>, of picture: YUV420View, isAlone: Bool = false) {
    if clean == nil && matte.isPlain && !isAlone { return }
    let held = matte.begin(rows: rows, of: picture.size)
    if clean != nil {
      cleanPixels.resize(to: held.count * picture.size.width, with: .zero)
      var pixels = cleanPixels.mutableSpan
      clean?.solve(rows: held, of: picture, into: &pixels)
      if grows {
        spread.spread(over: &cleanPixels, width: picture.size.width, steps: matte.margin)
      }
      matte.fill { copyAlpha(of: cleanPixels, into: &$0) }
    } else {
      for y in held {
        alphaRow(y, of: picture)
        matte.append(alpha)
      }
    }
    matte.shape()
  }

  private func shapeMatte(rows: Range<Int>, of picture: RGBAView) {
    let held = matte.begin(rows: rows, of: picture.size)
    if clean != nil {
      cleanPixels.resize(to: held.count * picture.size.width, with: .zero)
      var pixels = cleanPixels.mutableSpan
      clean?.solve(rows: held, of: picture, into: &pixels)
      if grows {
        spread.spread(over: &cleanPixels, width: picture.size.width, steps: matte.margin)
      }
      matte.fill { copyAlpha(of: cleanPixels, into: &$0) }
    } else {
      for y in held {
        rule.multiply(picture.row(y), scratch: &scratch, into: &alpha)
        matte.append(alpha)
      }
    }
    matte.shape()
  }

  /// Whether the matte is made wider than it is solved, which needs colours where there was only
  /// screen.
  private var grows: Bool { plan.settings.choke < 0 || plan.settings.feather > 0 }

  /// Gives the solved pixels of rows the shaped matte.
  private func cutClean(
    _ rows: Range<Int>, width: Int, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for y in rows {
      let start = matte.start(ofRow: y)
      cut(
        cleanPixels.span.extracting(start..<start + width), by: matte.rows, alphaStart: start,
        into: &pixels, at: (y - rows.lowerBound) * width)
    }
  }
}

/// Takes the alpha of pixels out.
private func copyAlpha(of pixels: [SIMD4<UInt8>], into alpha: inout [UInt8]) {
  let pixels = pixels.span
  var alpha = alpha.mutableSpan
  precondition(alpha.count == pixels.count, "planes must agree")
  for x in alpha.indices { alpha[x] = pixels[x].w }
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
