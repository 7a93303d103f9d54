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
    var samples = ChromaLine(width: picture.cb.width)
    var luma = (top: [UInt8](repeating: 0, count: 2 * picture.cb.width), bottom: [UInt8]())
    luma.bottom = luma.top
    copyRow(picture.luma.row(2 * line), into: &luma.top)
    copyRow(
      picture.luma.row(min(2 * line + 1, picture.luma.height - 1)), into: &luma.bottom)
    samples.load(
      line, picture.cb.row(line), picture.cr.row(line), under: luma.top, luma.bottom,
      siting: siting)
    var sum: Float = 0
    for x in 3..<picture.cb.width - 1 {
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
