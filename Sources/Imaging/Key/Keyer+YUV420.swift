extension Keyer {
  /// What depends on a picture's encoding.
  struct CodeTables {
    let encoding: YCbCrEncoding
    let alpha: AlphaTable
  }

  /// The pixels that are looked at together for being all transparent.
  private static let chunk = ChromaRow.chunk

  /// Makes the tables of the picture's encoding and the scratch rows of its width.
  func prepare(for picture: YUV420View) {
    let width = picture.luma.width
    if alpha.count != width {
      alpha = [UInt8](repeating: 0, count: width)
      codes = [UInt16](repeating: 0, count: width)
      color.resize(to: width)
    }
    guard tables?.encoding != picture.encoding else { return }
    tables = CodeTables(
      encoding: picture.encoding,
      alpha: AlphaTable(
        encoding: picture.encoding,
        screenNear: plan.screens.first?.unclamped ?? .zero, alpha: rule.alpha(of:)))
  }

  /// Makes alpha and colour of a row in one go.
  func keyRow(
    _ y: Int, of picture: YUV420View, into pixels: inout MutableSpan<SIMD4<UInt8>>, at start: Int
  ) {
    chroma.blend(row: y, of: picture)
    let boxes = tables?.alpha.boxes ?? AlphaTable.Boxes()
    let width = picture.luma.width
    var x = 0
    while x < width {
      let (run, kind) = chroma.run(from: x, width: width, by: boxes)
      x = run.upperBound
      if kind == .transparent {
        clear(&pixels, start + run.lowerBound..<start + run.upperBound)
        continue
      }
      chroma.raise(run)
      setAlpha(run, kind)
      color.convert(
        luma: picture.luma.row(y), chroma: chroma, run, encoding: picture.encoding)
      color.interleave(run, alpha: alpha, alphaStart: 0, into: &pixels, at: start)
    }
  }

  /// Makes the alpha of a row.
  func alphaRow(_ y: Int, of picture: YUV420View) {
    chroma.blend(row: y, of: picture)
    let boxes = tables?.alpha.boxes ?? AlphaTable.Boxes()
    let width = picture.luma.width
    var x = 0
    while x < width {
      let (run, kind) = chroma.run(from: x, width: width, by: boxes)
      x = run.upperBound
      if kind == .mixed { chroma.raise(run) }
      setAlpha(run, kind)
    }
  }

  /// Makes the colour of a row whose matte is known.
  func convertRow(
    _ y: Int, of picture: YUV420View, into pixels: inout MutableSpan<SIMD4<UInt8>>, at start: Int
  ) {
    chroma.blend(row: y, of: picture)
    let width = picture.luma.width
    let alphaStart = matte.start(ofRow: y)
    for first in stride(from: 0, to: width, by: Self.chunk) {
      let run = first..<min(first + Self.chunk, width)
      if matte.isZero(alphaStart + run.lowerBound..<alphaStart + run.upperBound) {
        clear(&pixels, start + run.lowerBound..<start + run.upperBound)
        continue
      }
      chroma.raise(run)
      color.convert(
        luma: picture.luma.row(y), chroma: chroma, run, encoding: picture.encoding)
      color.interleave(run, alpha: matte.rows, alphaStart: alphaStart, into: &pixels, at: start)
    }
  }

  /// Writes the alpha of a run; one that is mixed must have its chroma raised.
  private func setAlpha(_ run: Range<Int>, _ kind: AlphaTable.RunKind) {
    guard kind == .mixed, let tables else {
      fill(&alpha, run, with: kind == .opaque ? 255 : 0)
      return
    }
    packCodes(chroma.cb, chroma.cr, run, into: &codes)
    lookUp(codes, in: tables.alpha.entries, run, into: &alpha)
  }
}

/// Sets a run of a row to one value.
private func fill(_ row: inout [UInt8], _ run: Range<Int>, with value: UInt8) {
  var row = row.mutableSpan
  for i in run { row[i] = value }
}

/// Makes a range of pixels transparent black.
private func clear(_ pixels: inout MutableSpan<SIMD4<UInt8>>, _ range: Range<Int>) {
  precondition(range.lowerBound >= 0 && range.upperBound <= pixels.count, "run out of range")
  for i in range {
    // In bounds by the check above; so written the loop becomes one `memset`.
    unsafe pixels[unchecked: i] = .zero
  }
}
