/// Shuts parts of keyed rows out and keeps others whole, whatever their colour.
///
/// What is both is shut out. Masks come last, so that shaping the matte does not move them.
struct MaskStage {
  private let garbage: KeyMask
  private let holdOut: KeyMask
  /// The two for pictures of the size at hand; nil for nothing.
  private var shut, kept: MaskPlane?
  private var size = PixelSize(width: 1, height: 1)
  /// The row at hand as it is without a key.
  private var whole: [SIMD4<UInt8>] = []
  private var opaque: [UInt8] = []

  /// The masks of a plan.
  init(_ plan: KeyPlan) {
    garbage = plan.aids.garbage
    holdOut = plan.aids.holdOut
  }

  /// Whether there is nothing to do.
  var isIdle: Bool { garbage.isEmpty && holdOut.isEmpty }

  /// Masks keyed rows of a 4:2:0 picture.
  mutating func apply(
    to pixels: inout MutableSpan<SIMD4<UInt8>>, rows: Range<Int>, of picture: YUV420View,
    _ chroma: inout ChromaRow, _ color: inout ColorRow
  ) {
    begin(picture.size)
    for y in rows {
      let start = (y - rows.lowerBound) * picture.size.width
      if let kept, kept.covers(y) {
        let run = 0..<picture.size.width
        color.resize(to: run.count)
        chroma.blend(row: y, of: picture)
        chroma.raise(run)
        color.convert(
          luma: picture.luma.row(y), chroma: chroma, run, encoding: picture.encoding)
        Self.interleave(color, alpha: opaque, into: &whole)
        Self.keep(whole.span, where: kept.row(y), in: &pixels, at: start)
      }
      shutOut(y, in: &pixels, at: start)
    }
  }

  /// Masks keyed rows of a picture of RGBA pixels, whose own alpha stays.
  mutating func apply(
    to pixels: inout MutableSpan<SIMD4<UInt8>>, rows: Range<Int>, of picture: RGBAView
  ) {
    begin(picture.size)
    for y in rows {
      let start = (y - rows.lowerBound) * picture.size.width
      if let kept, kept.covers(y) {
        Self.keep(picture.row(y), where: kept.row(y), in: &pixels, at: start)
      }
      shutOut(y, in: &pixels, at: start)
    }
  }

  /// Masks the matte of rows of a picture without alpha.
  mutating func apply(to alpha: inout MutableSpan<UInt8>, rows: Range<Int>, size: PixelSize) {
    begin(size)
    for y in rows {
      let start = (y - rows.lowerBound) * size.width
      if let kept, kept.covers(y) {
        let kept = kept.row(y)
        for x in kept.indices { Self.mix(255, share: kept[x], into: &alpha[start + x]) }
      }
      shutOut(y, in: &alpha, at: start)
    }
  }

  /// Masks the matte of rows of a picture of RGBA pixels, whose own alpha stays.
  mutating func apply(to alpha: inout MutableSpan<UInt8>, rows: Range<Int>, of picture: RGBAView) {
    begin(picture.size)
    for y in rows {
      let start = (y - rows.lowerBound) * picture.size.width
      if let kept, kept.covers(y) {
        let (row, kept) = (picture.row(y), kept.row(y))
        for x in row.indices { Self.mix(row[x].w, share: kept[x], into: &alpha[start + x]) }
      }
      shutOut(y, in: &alpha, at: start)
    }
  }

  private mutating func begin(_ size: PixelSize) {
    guard self.size != size else { return }
    self.size = size
    shut = garbage.plane?.resized(to: size)
    kept = holdOut.plane?.resized(to: size)
    whole = [SIMD4<UInt8>](repeating: .zero, count: size.width)
    opaque = [UInt8](repeating: 255, count: size.width)
  }

  private static func interleave(_ color: ColorRow, alpha: [UInt8], into row: inout [SIMD4<UInt8>])
  {
    var row = row.mutableSpan
    color.interleave(0..<alpha.count, alpha: alpha, alphaStart: 0, into: &row, at: 0)
  }

  /// Mixes pixels with those of the picture itself, weighted by their alpha.
  private static func keep(
    _ whole: Span<SIMD4<UInt8>>, where kept: Span<UInt8>,
    in pixels: inout MutableSpan<SIMD4<UInt8>>,
    at start: Int
  ) {
    for x in whole.indices where kept[x] > 0 {
      let (old, new) = (SIMD4<Int32>(truncatingIfNeeded: pixels[start + x]), whole[x])
      let share = Int32(kept[x])
      let (oldWeight, newWeight) = (old.w * (255 - share), Int32(new.w) * share)
      let weight = oldWeight + newWeight
      guard weight > 0 else { continue }
      var mixed = (old &* oldWeight &+ SIMD4(truncatingIfNeeded: new) &* newWeight) / weight
      mixed.w = (weight + 127) / 255
      pixels[start + x] = mixed.w == 0 ? .zero : SIMD4(truncatingIfNeeded: mixed)
    }
  }

  private static func mix(_ own: UInt8, share: UInt8, into alpha: inout UInt8) {
    let sum = Int(alpha) * Int(255 - share) + Int(own) * Int(share)
    alpha = UInt8((sum + 127) / 255)
  }

  private func shutOut(_ y: Int, in alpha: inout MutableSpan<UInt8>, at start: Int) {
    guard let shut, shut.covers(y) else { return }
    let row = shut.row(y)
    for x in row.indices { Self.mix(0, share: row[x], into: &alpha[start + x]) }
  }

  private func shutOut(_ y: Int, in pixels: inout MutableSpan<SIMD4<UInt8>>, at start: Int) {
    guard let shut, shut.covers(y) else { return }
    let row = shut.row(y)
    for x in row.indices where row[x] > 0 {
      var pixel = pixels[start + x]
      Self.mix(0, share: row[x], into: &pixel.w)
      pixels[start + x] = pixel.w == 0 ? .zero : pixel
    }
  }
}
