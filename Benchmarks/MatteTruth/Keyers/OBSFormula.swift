/// OBS Studio's chroma key: a ramp over the distance in the plane of Cb and Cr, averaged over the
/// neighbours; colours near the key fade to grey.
///
/// Source: `chroma_key_filter_v2.effect` of OBS Studio.
public struct OBSFormula: FormulaKeyer {
  /// The distance up to which a pixel is transparent.
  public let similarity: Float
  /// The width of the ramp behind it.
  public let smoothness: Float
  /// The width of the ramp over which colour comes back.
  public let spill: Float

  /// Makes the keyer; OBS shows these as thousandths.
  public init(similarity: Float, smoothness: Float, spill: Float) {
    self.similarity = similarity
    self.smoothness = smoothness
    self.spill = spill
  }

  /// Keys an opaque picture by the screen's colour, 0…1.
  public func matte(of picture: MattePicture, key: SIMD3<Float>) -> MattePicture {
    let chroma = picture.pixels.map { Self.chroma(of: $0) }
    let target = Self.chroma(of: SIMD4(key, 1))
    let (width, height) = (picture.width, picture.height)
    var pixels = picture.pixels
    for y in 0..<height {
      let (above, below) = (max(y - 1, 0) * width, min(y + 1, height - 1) * width)
      let row = y * width
      for x in 0..<width {
        let (left, right) = (max(x - 1, 0), min(x + 1, width - 1))
        // Four samples between two neighbours each, and the pixel itself at half their weight.
        func distance(_ one: Int, _ other: Int) -> Float {
          let offset = (chroma[one] + chroma[other]) / 2 - target
          return (offset * offset).sum().squareRoot()
        }
        var sum = distance(row + right, below + right) + distance(row + left, above + left)
        sum += distance(above + x, above + right) + distance(below + x, below + left)
        let beyond = (2 * sum + distance(row + x, row + x)) / 9 - similarity
        pixels[row + x] = keyed(pixels[row + x], beyond: beyond)
      }
    }
    return MattePicture(width: width, height: height, pixels: pixels)
  }

  private func keyed(_ pixel: SIMD4<Float>, beyond: Float) -> SIMD4<Float> {
    func ramp(_ width: Float) -> Float {
      let share = unitRange(beyond / width)
      return share * share.squareRoot()
    }
    let alpha = ramp(smoothness)
    let gray = (pixel * SIMD4(0.2126, 0.7152, 0.0722, 0)).sum()
    let color = SIMD4(repeating: gray) + (pixel - gray) * ramp(spill)
    var result = color * alpha
    result.w = alpha
    return result
  }

  /// Cb and Cr of BT.709 in limited range, without their offset.
  private static func chroma(of pixel: SIMD4<Float>) -> SIMD2<Float> {
    SIMD2(
      (pixel * SIMD4(-0.100644, -0.338572, 0.439216, 0)).sum(),
      (pixel * SIMD4(0.439216, -0.398942, -0.040274, 0)).sum())
  }
}
