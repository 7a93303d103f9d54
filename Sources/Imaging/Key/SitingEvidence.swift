/// What tells where the chroma samples of a picture sit, whatever its file says.
///
/// Many encoders average pairs of pixels, which puts chroma midway between them, and leave it untagged,
/// which means on the left one. At edges chroma follows luma; so of luma lowered for either siting, the
/// one that explains more of the chroma's variance is right.
struct SitingEvidence {
  /// How much more the other siting must explain before the picture is not believed.
  private static let margin: Float = 1.02
  /// Rows that are looked at, at most.
  private static let mostRows = 120
  /// Luma variance, in squared codes, that is noise.
  private static let noise: Float = 100

  private let stated: ChromaSiting
  private var explained: (left: Float, center: Float) = (0, 0)

  /// Looks at some rows of a picture.
  init(_ picture: YUV420View) {
    stated = picture.siting
    let height = picture.cb.height
    guard height >= 3, picture.cb.width >= 8 else { return }
    for y in stride(from: 1, to: height - 1, by: max(1, height / Self.mostRows)) {
      explained.left += explainedVariance(line: y, of: picture, .left)
      explained.center += explainedVariance(line: y, of: picture, .center)
    }
  }

  /// The siting that explains the picture; the stated one where there is little difference.
  var siting: ChromaSiting {
    switch stated {
    case .left: explained.center > explained.left * Self.margin ? .center : .left
    case .center: explained.left > explained.center * Self.margin ? .left : .center
    }
  }

  /// The variance of chroma along a line that is explained by luma in windows of five samples.
  private func explainedVariance(
    line: Int, of picture: YUV420View, _ siting: ChromaSiting
  ) -> Float {
    let samples = LineSamples(line, of: picture, siting)
    var sum: Float = 0
    for x in 2..<picture.cb.width - 2 {
      let window = x - 2..<x + 3
      let variance = covariance(samples.luma, samples.luma, window)
      guard variance > Self.noise else { continue }
      let (cb, cr) = (
        covariance(samples.luma, samples.cb, window), covariance(samples.luma, samples.cr, window)
      )
      sum += (cb * cb + cr * cr) / variance
    }
    return sum
  }

  private func covariance(_ a: [Float], _ b: [Float], _ window: Range<Int>) -> Float {
    var (sumA, sumB, product): (Float, Float, Float) = (0, 0, 0)
    for x in window {
      sumA += a[x]
      sumB += b[x]
      product += a[x] * b[x]
    }
    let count = Float(window.count)
    return (product - sumA * sumB / count) / count
  }
}

/// A line of chroma and the luma that it was averaged over, about 128.
private struct LineSamples {
  var luma: [Float]
  var cb: [Float]
  var cr: [Float]

  init(_ line: Int, of picture: YUV420View, _ siting: ChromaSiting) {
    var rows = LumaRows(width: picture.luma.width)
    rows.load(lines: line...line, of: picture)
    let (top, bottom) = (rows[2 * line], rows[2 * line + 1])
    let (cbRow, crRow) = (picture.cb.row(line), picture.cr.row(line))
    cb = cbRow.indices.map { Float(cbRow[$0]) - 128 }
    cr = crRow.indices.map { Float(crRow[$0]) - 128 }
    luma = stride(from: 0, to: cb.count, by: BlockMap.width).flatMap { x in
      let lanes = averagedLuma(top, bottom, x, siting)
      return lanes.indices.map { lanes[$0] }
    }
  }
}
