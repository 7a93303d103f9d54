/// The chroma of one luma row, brought up from 4:2:0 to luma resolution by bilinear interpolation.
///
/// Blended samples are what lies straight above and below mixed 3 : 1, in quarters of a code about
/// 128; raised samples stand at every luma position in 1/256 of a code about 128. Nothing is rounded
/// on the way: the weights are quarters down and, across, halves or quarters by the siting.
struct ChromaRow {
  /// The pixels that are looked at together for being all transparent or all opaque.
  static let chunk = 64

  /// Blended Cb and Cr with one sample repeated at either end; sample `k` is at `k + 1`.
  private var blendedCb: [Int16] = []
  private var blendedCr: [Int16] = []
  /// Raised Cb and Cr at luma resolution, with room for a whole last pair.
  private(set) var cb: [Int16] = []
  private(set) var cr: [Int16] = []
  private var siting = ChromaSiting.left

  /// Blends the chroma of luma row `y`; what was raised before no longer holds.
  mutating func blend(row y: Int, of picture: YUV420View) {
    siting = picture.siting
    let width = picture.cb.width
    if blendedCb.count != width + 2 { resize(to: width) }
    let near = y / 2
    // Even rows lie a quarter of a chroma row below the one above, odd rows a quarter above the next.
    let far = min(max(y & 1 == 0 ? near - 1 : near + 1, 0), picture.cb.height - 1)
    blendRows(picture.cb.row(near), picture.cb.row(far), into: &blendedCb)
    blendRows(picture.cr.row(near), picture.cr.row(far), into: &blendedCr)
  }

  /// Raises the chroma of the pixels of `run`, whose ends are even or the end of the row.
  mutating func raise(_ run: Range<Int>) {
    let pairs = run.lowerBound / 2..<(run.upperBound + 1) / 2
    switch siting {
    case .left:
      raiseFromLeft(blendedCb, pairs, into: &cb)
      raiseFromLeft(blendedCr, pairs, into: &cr)
    case .center:
      raiseFromCenter(blendedCb, pairs, into: &cb)
      raiseFromCenter(blendedCr, pairs, into: &cr)
    }
  }

  /// The longest run of chunks from `x` on of which the same is known.
  ///
  /// One call for the whole run: what is asked for each chunk goes through the keyer, whose every look at
  /// its properties is checked. That was a sixth of keying.
  func run(
    from x: Int, width: Int, by boxes: AlphaTable.Boxes
  ) -> (Range<Int>, AlphaTable.RunKind) {
    let (cb, cr) = (blendedCb.span, blendedCr.span)
    let transparent = boxes.transparent.map(BlendedBox.init)
    let opaque = boxes.opaque.map(BlendedBox.init)
    var end = x
    var found: AlphaTable.RunKind?
    while end < width {
      let next = end..<min(end + Self.chunk, width)
      let kind: AlphaTable.RunKind =
        if let transparent, transparent.holds(cb, cr, next) {
          .transparent
        } else if let opaque, opaque.holds(cb, cr, next) { .opaque } else { .mixed }
      if let found, found != kind { break }
      found = kind
      end = next.upperBound
    }
    return (x..<end, found ?? .mixed)
  }

  private mutating func resize(to width: Int) {
    blendedCb = [Int16](repeating: 0, count: width + 2)
    blendedCr = blendedCb
    cb = [Int16](repeating: 0, count: width * 2)
    cr = cb
  }
}

/// A rectangle of chroma codes.
struct CodeBox: Hashable, Sendable {
  var cb: ClosedRange<UInt8>
  var cr: ClosedRange<UInt8>
}

// MARK: - Kernels
//
// Each is one counted loop over spans whose length was checked before it; rows that the caller owns
// come as arrays, because spans of two stored properties cannot be passed together. The stores are unchecked
// where the compiler does not see that they are in bounds: raising pairs took 0.39 ns a pixel checked and
// takes 0.05 unchecked, because only then are they made vectors.

/// Mixes two rows 3 : 1, about 128, and repeats the ends.
private func blendRows(
  _ near: Span<UInt8>, _ far: Span<UInt8>, into output: inout [Int16]
) {
  let width = near.count
  var blended = output.mutableSpan
  precondition(far.count == width && blended.count == width + 2, "rows must agree")
  for i in 0..<width {
    let mixed = 3 &* Int16(near[i]) &+ Int16(far[i]) &- 4 * 128
    // In bounds: `blended` has two more samples than the rows.
    unsafe blended[unchecked: i &+ 1] = mixed
  }
  blended[0] = blended[1]
  blended[width + 1] = blended[width]
}

/// Raises samples that sit on the even pixels.
private func raiseFromLeft(
  _ input: [Int16], _ pairs: Range<Int>, into output: inout [Int16]
) {
  let blended = input.span
  var raised = output.mutableSpan
  precondition(pairs.lowerBound >= 0 && pairs.upperBound + 2 <= blended.count, "run out of range")
  precondition(pairs.upperBound * 2 <= raised.count, "run out of range")
  for k in pairs {
    // In bounds by the checks above.
    let (here, right) = unsafe (blended[unchecked: k &+ 1], blended[unchecked: k &+ 2])
    unsafe raised[unchecked: 2 &* k] = here &<< 6
    unsafe raised[unchecked: 2 &* k &+ 1] = (here &+ right) &<< 5
  }
}

/// Raises samples that sit midway between an even pixel and the next.
private func raiseFromCenter(
  _ input: [Int16], _ pairs: Range<Int>, into output: inout [Int16]
) {
  let blended = input.span
  var raised = output.mutableSpan
  precondition(pairs.lowerBound >= 0 && pairs.upperBound + 2 <= blended.count, "run out of range")
  precondition(pairs.upperBound * 2 <= raised.count, "run out of range")
  for k in pairs {
    // In bounds by the checks above.
    let (left, here) = unsafe (blended[unchecked: k], blended[unchecked: k &+ 1])
    let right = unsafe blended[unchecked: k &+ 2]
    unsafe raised[unchecked: 2 &* k] = (3 &* here &+ left) &<< 4
    unsafe raised[unchecked: 2 &* k &+ 1] = (3 &* here &+ right) &<< 4
  }
}

/// A box of codes in the measure of blended samples.
private struct BlendedBox {
  private let cb: ClosedRange<Int16>
  private let cr: ClosedRange<Int16>

  init(_ box: CodeBox) {
    func blended(_ code: UInt8) -> Int16 { Int16(code) * 4 - 512 }
    cb = blended(box.cb.lowerBound)...blended(box.cb.upperBound)
    cr = blended(box.cr.lowerBound)...blended(box.cr.upperBound)
  }

  /// Whether the codes of all pixels of `run` would fall into the box once raised.
  ///
  /// Interpolation never leaves the range of the samples it mixes, so looking at those is enough.
  @inline(always)
  func holds(_ blendedCb: Span<Int16>, _ blendedCr: Span<Int16>, _ run: Range<Int>) -> Bool {
    let samples = run.lowerBound / 2..<(run.upperBound + 1) / 2 + 2
    return areWithin(blendedCb, samples, cb) && areWithin(blendedCr, samples, cr)
  }
}

/// Whether all blended samples of a run lie within a range.
@inline(always)
private func areWithin(
  _ blended: Span<Int16>, _ samples: Range<Int>, _ range: ClosedRange<Int16>
) -> Bool {
  precondition(samples.lowerBound >= 0 && samples.upperBound <= blended.count, "run out of range")
  let (low, high) = (range.lowerBound, range.upperBound)
  // The sign bit gathers every sample that is outside; no branch, so the loop is made vectors.
  var outside: Int16 = 0
  for i in samples {
    // In bounds by the check above.
    let sample = unsafe blended[unchecked: i]
    outside |= (sample &- low) | (high &- sample)
  }
  return outside >= 0
}
