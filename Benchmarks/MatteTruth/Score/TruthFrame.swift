/// A frame of known transparency, with what judging a matte by it needs.
///
/// Everything that depends on the truth alone is computed once, since many mattes are judged by it.
public struct TruthFrame: Sendable {
  /// The truth itself.
  public let picture: MattePicture
  /// Where its edges are.
  let band: [Bool]
  /// What is solid for 4 px around.
  private let inside: [Bool]
  /// What is empty for 4 px around.
  private let outside: [Bool]

  /// Makes the masks of a truth.
  public init(_ picture: MattePicture) {
    func mask(_ rule: (Float) -> Bool) -> Mask {
      Mask(width: picture.width, height: picture.height, bits: picture.pixels.map { rule($0.w) })
    }
    self.picture = picture
    let half = mask { $0 > 0.5 }
    // Pixel art has no partly covered pixels: its edges are those of the half, and where that meets
    // the picture's border.
    let hardEdge = half.dilated(by: 1).symmetricDifference(half.eroded(by: 1))
    band = mask { $0 > 0.004 && $0 < 0.996 }.union(hardEdge).dilated(by: 2).bits
    inside = mask { $0 >= 0.996 }.eroded(by: 4).bits
    outside = mask { $0 <= 0.004 }.eroded(by: 4).bits
  }

  /// Judges a matte of the same size by this truth.
  ///
  /// Spill is what leans to `key`, the screen's colour in 0…1. Gradient and connectivity, which take
  /// ten times as long as all else, are measured only if it `isFull`. Flicker is not: it takes two
  /// frames.
  public func score(_ matte: MattePicture, key: SIMD3<Float>, isFull: Bool = false) -> Score {
    precondition(
      matte.width == picture.width && matte.height == picture.height, "the sizes must agree")
    let sums = sums(of: matte, hue: KeyHue(of: key))
    let count = Double(matte.pixels.count)
    var score = Score()
    score[.alpha] = 255 * sums.alpha / count
    score[.sad] = sums.alpha / 1000
    score[.mse] = 1000 * sums.square / count
    score[.composite] = 255 * sums.composite / count
    let band = max(1, sums.bandCount)
    score[.edge] = 255 * sums.bandAlpha / band
    score[.overBlack] = 255 * sums.overBlack / band
    score[.overWhite] = 255 * sums.overWhite / band
    score[.overChecker] = 255 * sums.overChecker / band
    score[.spill] = 255 * sums.spill / band
    score[.overdespill] = 255 * sums.overdespill / band
    score[.holes] = 255 * sums.missing / max(1, sums.insideCount)
    score[.residue] = 255 * sums.remaining / max(1, sums.outsideCount)
    if isFull {
      let (alpha, truth) = (matte.pixels.map(\.w), picture.pixels.map(\.w))
      score[.gradient] = gradientError(of: alpha, from: truth, width: matte.width)
      score[.connectivity] = connectivityError(of: alpha, from: truth, width: matte.width)
    }
    return score
  }

  /// The flicker of a matte between two frames: ``Metric/flicker``.
  public static func flicker(
    from matte: MattePicture, to next: MattePicture, truth: TruthFrame, nextTruth: TruthFrame
  ) -> Double {
    var sum = 0.0
    let (truth, nextTruth) = (truth.picture.pixels, nextTruth.picture.pixels)
    for index in matte.pixels.indices {
      let change = next.pixels[index].w - matte.pixels[index].w
      let error = change - (nextTruth[index].w - truth[index].w)
      sum += Double(error * error)
    }
    return 1000 * (sum / Double(matte.pixels.count)).squareRoot()
  }

  /// What is added up over the pixels, in 0…1.
  private struct Sums {
    var alpha = 0.0, square = 0.0, composite = 0.0
    var bandCount = 0.0, bandAlpha = 0.0
    var overBlack = 0.0, overWhite = 0.0, overChecker = 0.0
    var spill = 0.0, overdespill = 0.0
    var insideCount = 0.0, missing = 0.0, outsideCount = 0.0, remaining = 0.0
  }

  private func sums(of matte: MattePicture, hue: KeyHue) -> Sums {
    var sums = Sums()
    for y in 0..<matte.height {
      for x in 0..<matte.width {
        let index = y * matte.width + x
        let (made, truth) = (matte.pixels[index], picture.pixels[index])
        // Over a grey g, a premultiplied pixel p makes p + (1 − alpha) g: so the error is that of
        // the premultiplied colours less g times that of alpha.
        let error = made - truth
        let checker: Float = (x / 16 + y / 16).isMultiple(of: 2) ? 0.35 : 0.85
        let black = compositeError(error, over: 0)
        let white = compositeError(error, over: 1)
        let checkered = compositeError(error, over: checker)
        let alphaError = Double(abs(error.w))
        sums.alpha += alphaError
        sums.square += alphaError * alphaError
        sums.composite += (black + white + checkered) / 3
        if band[index] {
          sums.bandCount += 1
          sums.bandAlpha += alphaError
          sums.overBlack += black
          sums.overWhite += white
          sums.overChecker += checkered
          // The grey behind adds the same to all channels, so that the excess is that of the colour.
          let excess = Double(hue.excess(of: made) - hue.excess(of: truth))
          if excess > 0 { sums.spill += excess } else { sums.overdespill -= excess }
        }
        if inside[index] {
          sums.insideCount += 1
          sums.missing += Double(1 - made.w)
        } else if outside[index] {
          sums.outsideCount += 1
          sums.remaining += Double(made.w)
        }
      }
    }
    return sums
  }
}

/// The mean error of the three channels over a grey.
@inline(__always)
private func compositeError(_ error: SIMD4<Float>, over gray: Float) -> Double {
  let shift = gray * error.w
  return Double((abs(error.x - shift) + abs(error.y - shift) + abs(error.z - shift)) / 3)
}
