/// The way from codes to RGB in 8-bit steps.
struct FloatMatrix {
  let lumaOffset, lumaScale, crToRed, cbToGreen, crToGreen, cbToBlue: Float

  init(_ encoding: YCbCrEncoding) {
    let c = encoding.coefficients
    // Luma comes less 128, as chroma does.
    lumaOffset = Float(c.lumaOffset) - 128
    lumaScale = Float(c.lumaScale * 255)
    crToRed = Float(c.crToRed * 255)
    cbToGreen = Float(c.cbToGreen * 255)
    crToGreen = Float(c.crToGreen * 255)
    cbToBlue = Float(c.cbToBlue * 255)
  }

  /// An opaque pixel as a word.
  @inline(__always)
  func word(_ luma: Float, _ cb: Float, _ cr: Float) -> UInt32 {
    let grey = (luma - lumaOffset) * lumaScale
    let red = byte(grey + crToRed * cr)
    let green = byte(grey + cbToGreen * cb + crToGreen * cr)
    let blue = byte(grey + cbToBlue * cb)
    return red | green &<< 8 | blue &<< 16 | 0xff00_0000
  }

  @inline(__always)
  private func byte(_ value: Float) -> UInt32 {
    let positive = value > 0 ? value : 0
    return roundedToInteger(positive < 255 ? positive : 255)
  }
}

/// Copies a row and repeats its last sample up to the end.
func copyRow(_ row: Span<UInt8>, into output: inout [UInt8]) {
  var output = output.mutableSpan
  precondition(output.count >= row.count, "rows must agree")
  for x in row.indices { output[x] = row[x] }
  for x in row.count..<output.count { output[x] = row[row.count - 1] }
}

/// Makes numbers about 128 of codes, and repeats the ends.
func widen(_ row: Span<UInt8>, into output: inout [Float]) {
  do {
    var output = output.mutableSpan
    precondition(output.count == row.count + 2, "rows must agree")
    // In bounds by the check.
    for x in row.indices { unsafe output[unchecked: x &+ 1] = Float(row[x]) - 128 }
  }
  repeatEnds(&output)
}

/// Repeats the first and the last sample.
func repeatEnds(_ line: inout [Float]) {
  line[0] = line[1]
  line[line.count - 1] = line[line.count - 2]
}

/// The mean of each 2 × 2 luma samples, about 128.
func averageCentered(_ top: [UInt8], _ bottom: [UInt8], into output: inout [Float]) {
  let (top, bottom) = (top.span, bottom.span)
  var output = output.mutableSpan
  let count = output.count - 2
  precondition(top.count >= 2 * count && bottom.count >= 2 * count, "rows must agree")
  for k in 0..<count {
    // In bounds by the check.
    let upper = unsafe UInt16(top[unchecked: 2 &* k]) &+ UInt16(top[unchecked: 2 &* k &+ 1])
    let lower = unsafe UInt16(bottom[unchecked: 2 &* k]) &+ UInt16(bottom[unchecked: 2 &* k &+ 1])
    unsafe output[unchecked: k &+ 1] = Float(upper &+ lower) * 0.25 - 128
  }
}

/// The mean of the luma about each even sample, 1 : 2 : 1 across and over two rows, about 128.
func averageLeft(_ top: [UInt8], _ bottom: [UInt8], into output: inout [Float]) {
  let (top, bottom) = (top.span, bottom.span)
  var output = output.mutableSpan
  let count = output.count - 2
  precondition(top.count >= 2 * count && bottom.count >= 2 * count, "rows must agree")
  for k in 0..<count {
    let left = max(2 * k - 1, 0)
    let sides =
      UInt16(top[left]) + UInt16(bottom[left]) + UInt16(top[2 * k + 1])
      + UInt16(bottom[2 * k + 1])
    let middle = UInt16(top[2 * k]) + UInt16(bottom[2 * k])
    output[k + 1] = Float(sides + 2 * middle) * 0.125 - 128
  }
}

/// Mixes two lines 3 : 1 in a range.
func mixLines(
  _ near: [Float], _ far: [Float], _ range: Range<Int>, into output: inout [Float]
) {
  let (near, far) = (near.span, far.span)
  var output = output.mutableSpan
  precondition(range.lowerBound >= 0 && range.upperBound <= output.count, "range of the line")
  precondition(near.count == output.count && far.count == output.count, "lines must agree")
  for x in range {
    // In bounds by the checks.
    unsafe output[unchecked: x] = near[unchecked: x] * 0.75 + far[unchecked: x] * 0.25
  }
}

/// Adds three lines.
func sumLines(_ a: [Float], _ b: [Float], _ c: [Float], into output: inout [Float]) {
  let (a, b, c) = (a.span, b.span, c.span)
  var output = output.mutableSpan
  precondition(a.count == output.count && b.count == output.count && c.count == output.count)
  for x in output.indices {
    // In bounds by the check.
    unsafe output[unchecked: x] = a[unchecked: x] + b[unchecked: x] + c[unchecked: x]
  }
}

/// Adds the products of three pairs of lines.
func sumProducts(
  _ a: ([Float], [Float]), _ b: ([Float], [Float]), _ c: ([Float], [Float]),
  into output: inout [Float]
) {
  let (a0, a1, b0, b1, c0, c1) = (a.0.span, a.1.span, b.0.span, b.1.span, c.0.span, c.1.span)
  var output = output.mutableSpan
  let count = output.count
  precondition(a0.count == count && a1.count == count && b0.count == count)
  precondition(b1.count == count && c0.count == count && c1.count == count)
  for x in output.indices {
    // In bounds by the checks.
    unsafe output[unchecked: x] =
      a0[unchecked: x] * a1[unchecked: x] + b0[unchecked: x] * b1[unchecked: x]
      + c0[unchecked: x] * c1[unchecked: x]
  }
}

/// Fits the slope of chroma over luma in each window of 3 × 3, from sums over its columns.
func fitSlopes(
  _ luma: [Float], _ lumaSquared: [Float], _ chroma: [Float], _ product: [Float], noise: Float,
  into output: inout [Float]
) {
  let (luma, squared) = (luma.span, lumaSquared.span)
  let (chroma, product) = (chroma.span, product.span)
  var output = output.mutableSpan
  let count = output.count
  precondition(luma.count == count && squared.count == count && chroma.count == count)
  precondition(product.count == count && count >= 3)
  @inline(__always)
  func sum(_ line: borrowing Span<Float>, _ x: Int) -> Float {
    // In bounds: x is neither the first nor the last.
    unsafe line[unchecked: x &- 1] + line[unchecked: x] + line[unchecked: x &+ 1]
  }
  for x in 1..<count - 1 {
    let y = sum(luma, x) * (1 / 9)
    let variance = sum(squared, x) * (1 / 9) - y * y
    let covariance = sum(product, x) * (1 / 9) - y * sum(chroma, x) * (1 / 9)
    unsafe output[unchecked: x] = covariance / ((variance > 0 ? variance : 0) + noise)
  }
}

/// Makes the 2 × 2 pixels of each sample of a run.
///
/// `evenShare` is what the sample to the left has in an even pixel, `oddShare` what the one to the
/// right has in an odd one; of what the four lack on average `givenBack` is given back.
func convertPairs(
  _ here: ChromaLine, _ top: ChromaLine, _ bottom: ChromaLine, _ topLuma: [UInt8],
  _ bottomLuma: [UInt8], _ run: Range<Int>, evenShare: Float, oddShare: Float,
  givenBack: Float, _ matrix: FloatMatrix, into pixels: inout [SIMD4<UInt8>], at start: Int
) {
  let count = here.luma.count
  let stride = 2 * (count - 2)
  let (cb, cr) = (here.cb.span, here.cr.span)
  let (luma0, cb0, cr0) = (top.luma.span, top.cb.span, top.cr.span)
  let (cbSlope0, crSlope0) = (top.cbSlope.span, top.crSlope.span)
  let (luma1, cb1, cr1) = (bottom.luma.span, bottom.cb.span, bottom.cr.span)
  let (cbSlope1, crSlope1) = (bottom.cbSlope.span, bottom.crSlope.span)
  let (y0, y1) = (topLuma.span, bottomLuma.span)
  var pixels = pixels.mutableSpan
  precondition(run.lowerBound >= 0 && run.upperBound + 2 <= count, "run of the line")
  precondition(y0.count >= stride && y1.count >= stride, "rows must agree")
  precondition(start >= 0 && start + 2 * stride <= pixels.count, "rows must agree")
  let (evenRest, oddRest) = (1 - evenShare, 1 - oddShare)
  @inline(__always)
  func even(_ line: borrowing Span<Float>, _ k: Int) -> Float {
    // In bounds by the checks: sample k is at k + 1.
    unsafe line[unchecked: k &+ 1] * evenRest + line[unchecked: k] * evenShare
  }
  @inline(__always)
  func odd(_ line: borrowing Span<Float>, _ k: Int) -> Float {
    unsafe line[unchecked: k &+ 1] * oddRest + line[unchecked: k &+ 2] * oddShare
  }
  for k in run {
    let a = unsafe Float(y0[unchecked: 2 &* k]) - 128
    let b = unsafe Float(y0[unchecked: 2 &* k &+ 1]) - 128
    let c = unsafe Float(y1[unchecked: 2 &* k]) - 128
    let d = unsafe Float(y1[unchecked: 2 &* k &+ 1]) - 128
    let (da, db) = (a - even(luma0, k), b - odd(luma0, k))
    let (dc, dd) = (c - even(luma1, k), d - odd(luma1, k))
    let (ba, bb) = (even(cb0, k) + even(cbSlope0, k) * da, odd(cb0, k) + odd(cbSlope0, k) * db)
    let (bc, bd) = (even(cb1, k) + even(cbSlope1, k) * dc, odd(cb1, k) + odd(cbSlope1, k) * dd)
    let (ra, rb) = (even(cr0, k) + even(crSlope0, k) * da, odd(cr0, k) + odd(crSlope0, k) * db)
    let (rc, rd) = (even(cr1, k) + even(crSlope1, k) * dc, odd(cr1, k) + odd(crSlope1, k) * dd)
    // What the four have too little of what the sample says.
    let moreCb = unsafe (cb[unchecked: k &+ 1] - (ba + bb + bc + bd) * 0.25) * givenBack
    let moreCr = unsafe (cr[unchecked: k &+ 1] - (ra + rb + rc + rd) * 0.25) * givenBack
    let place = start &+ 2 &* k
    unsafe store(matrix.word(a, ba + moreCb, ra + moreCr), &pixels, place)
    unsafe store(matrix.word(b, bb + moreCb, rb + moreCr), &pixels, place &+ 1)
    unsafe store(matrix.word(c, bc + moreCb, rc + moreCr), &pixels, place &+ stride)
    unsafe store(matrix.word(d, bd + moreCb, rd + moreCr), &pixels, place &+ stride &+ 1)
  }
}

/// Stores a pixel at a place that the caller has checked.
@inline(__always)
@unsafe private func store(
  _ word: UInt32, _ pixels: inout MutableSpan<SIMD4<UInt8>>, _ place: Int
) {
  unsafe pixels[unchecked: place] = unsafeBitCast(word.littleEndian, to: SIMD4<UInt8>.self)
}
