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

/// Adds three lines in a range.
func sumLines(
  _ a: [Float], _ b: [Float], _ c: [Float], _ range: Range<Int>, into output: inout [Float]
) {
  let (a, b, c) = (a.span, b.span, c.span)
  var output = output.mutableSpan
  precondition(a.count == output.count && b.count == output.count && c.count == output.count)
  precondition(range.lowerBound >= 0 && range.upperBound <= output.count, "range of the line")
  for x in range {
    // In bounds by the checks.
    unsafe output[unchecked: x] = a[unchecked: x] + b[unchecked: x] + c[unchecked: x]
  }
}

/// Adds the products of three pairs of lines in a range.
func sumProducts(
  _ a: ([Float], [Float]), _ b: ([Float], [Float]), _ c: ([Float], [Float]),
  _ range: Range<Int>, into output: inout [Float]
) {
  let (a0, a1, b0, b1, c0, c1) = (a.0.span, a.1.span, b.0.span, b.1.span, c.0.span, c.1.span)
  var output = output.mutableSpan
  let count = output.count
  precondition(a0.count == count && a1.count == count && b0.count == count)
  precondition(b1.count == count && c0.count == count && c1.count == count)
  precondition(range.lowerBound >= 0 && range.upperBound <= count, "range of the line")
  for x in range {
    // In bounds by the checks.
    unsafe output[unchecked: x] =
      a0[unchecked: x] * a1[unchecked: x] + b0[unchecked: x] * b1[unchecked: x]
      + c0[unchecked: x] * c1[unchecked: x]
  }
}

/// Fits the slope of chroma over luma in each window of 3 × 3, from sums over its columns.
func fitSlopes(
  _ luma: [Float], _ lumaSquared: [Float], _ chroma: [Float], _ product: [Float], noise: Float,
  _ range: Range<Int>, into output: inout [Float]
) {
  let (luma, squared) = (luma.span, lumaSquared.span)
  let (chroma, product) = (chroma.span, product.span)
  var output = output.mutableSpan
  let count = output.count
  precondition(luma.count == count && squared.count == count && chroma.count == count)
  precondition(product.count == count, "lines must agree")
  precondition(range.lowerBound >= 1 && range.upperBound <= count - 1, "range of the line")
  @inline(__always)
  func sum(_ line: borrowing Span<Float>, _ x: Int) -> Float {
    // In bounds: x is neither the first nor the last.
    unsafe line[unchecked: x &- 1] + line[unchecked: x] + line[unchecked: x &+ 1]
  }
  for x in range {
    let y = sum(luma, x) * (1 / 9)
    let variance = sum(squared, x) * (1 / 9) - y * y
    let covariance = sum(product, x) * (1 / 9) - y * sum(chroma, x) * (1 / 9)
    unsafe output[unchecked: x] = covariance / ((variance > 0 ? variance : 0) + noise)
  }
}

/// Parts every second sample of a row, from `first` on, as numbers about 128.
func takeEverySecond(
  _ row: [UInt8], from first: Int, _ run: Range<Int>, into output: inout [Float]
) {
  let row = row.span
  var output = output.mutableSpan
  precondition(run.lowerBound >= 0 && run.upperBound <= output.count, "run of the line")
  precondition(first >= 0 && first <= 1 && 2 * run.upperBound <= row.count, "run of the row")
  for k in run {
    // In bounds by the checks.
    unsafe output[unchecked: k] = Float(row[unchecked: 2 &* k &+ first]) - 128
  }
}

/// Makes the chroma of pixels: what lies between two samples of a line, plus slope times the luma that
/// the pixel has more than what lies between theirs.
///
/// The other sample, which has `share`, is the one before or, where `isAfter`, the one after.
func guide(
  _ chroma: [Float], _ slope: [Float], _ lineLuma: [Float], by luma: [Float], _ run: Range<Int>,
  share: Float, isAfter: Bool, into output: inout [Float]
) {
  let (chroma, slope) = (chroma.span, slope.span)
  let (lineLuma, luma) = (lineLuma.span, luma.span)
  var output = output.mutableSpan
  let count = lineLuma.count
  precondition(run.lowerBound >= 0 && run.upperBound + 2 <= count, "run of the line")
  precondition(chroma.count == count && slope.count == count, "lines must agree")
  precondition(luma.count >= run.upperBound && output.count >= run.upperBound, "lines must agree")
  let rest = 1 - share
  let other = isAfter ? 2 : 0
  for k in run {
    // In bounds by the checks: sample k is at k + 1.
    let between = unsafe chroma[unchecked: k &+ 1] * rest + chroma[unchecked: k &+ other] * share
    let rise = unsafe slope[unchecked: k &+ 1] * rest + slope[unchecked: k &+ other] * share
    let level = unsafe lineLuma[unchecked: k &+ 1] * rest + lineLuma[unchecked: k &+ other] * share
    unsafe output[unchecked: k] = between + rise * (luma[unchecked: k] - level)
  }
}

/// Finds what four pixels of a sample lack of it on average.
func findLack(
  of sample: [Float], _ a: [Float], _ b: [Float], _ c: [Float], _ d: [Float], _ run: Range<Int>,
  into lack: inout [Float]
) {
  let (sample, a, b, c, d) = (sample.span, a.span, b.span, c.span, d.span)
  var lack = lack.mutableSpan
  precondition(run.lowerBound >= 0 && run.upperBound + 2 <= sample.count, "run of the line")
  precondition(a.count >= run.upperBound && b.count >= run.upperBound, "lines must agree")
  precondition(c.count >= run.upperBound && d.count >= run.upperBound, "lines must agree")
  precondition(lack.count >= run.upperBound, "lines must agree")
  for k in run {
    // In bounds by the checks: sample k is at k + 1.
    let sum = unsafe a[unchecked: k] + b[unchecked: k] + c[unchecked: k] + d[unchecked: k]
    unsafe lack[unchecked: k] = sample[unchecked: k &+ 1] - sum * 0.25
  }
}

/// Makes opaque pixels of luma and chroma, to which what is lacking of that is added.
func makePixels(
  _ luma: [Float], _ cb: [Float], _ cr: [Float], lackOfCb: [Float], lackOfCr: [Float],
  _ run: Range<Int>, _ matrix: FloatMatrix, into words: inout [UInt32]
) {
  let (luma, cb, cr) = (luma.span, cb.span, cr.span)
  let (moreCb, moreCr) = (lackOfCb.span, lackOfCr.span)
  var words = words.mutableSpan
  precondition(run.lowerBound >= 0 && run.upperBound <= words.count, "run of the line")
  precondition(luma.count >= run.upperBound && cb.count >= run.upperBound, "lines must agree")
  precondition(cr.count >= run.upperBound && moreCb.count >= run.upperBound, "lines must agree")
  precondition(moreCr.count >= run.upperBound, "lines must agree")
  for k in run {
    // In bounds by the checks.
    unsafe words[unchecked: k] = matrix.word(
      luma[unchecked: k], cb[unchecked: k] + moreCb[unchecked: k],
      cr[unchecked: k] + moreCr[unchecked: k])
  }
}

/// Puts the even and the odd pixels of a row together.
func interleave(
  _ even: [UInt32], _ odd: [UInt32], _ run: Range<Int>, into pixels: inout [SIMD4<UInt8>],
  at start: Int
) {
  let (even, odd) = (even.span, odd.span)
  var pixels = pixels.mutableSpan
  precondition(run.lowerBound >= 0 && even.count >= run.upperBound, "run of the line")
  precondition(odd.count >= run.upperBound, "lines must agree")
  precondition(start >= 0 && start + 2 * run.upperBound <= pixels.count, "rows must agree")
  for k in run {
    let place = start &+ 2 &* k
    // In bounds by the checks; the words are pixels in this order of bytes.
    unsafe pixels[unchecked: place] = unsafeBitCast(
      even[unchecked: k].littleEndian, to: SIMD4<UInt8>.self)
    unsafe pixels[unchecked: place &+ 1] = unsafeBitCast(
      odd[unchecked: k].littleEndian, to: SIMD4<UInt8>.self)
  }
}
