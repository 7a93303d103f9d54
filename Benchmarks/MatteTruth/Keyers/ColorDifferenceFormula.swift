/// Colour difference: coverage is what of the screen's hue a pixel lacks, and the screen's share is
/// taken out of its colour.
///
/// Source: P. Vlahos, US patent 3,595,987 (1971), with two key channels for magenta.
public struct ColorDifferenceFormula: FormulaKeyer {
  /// The coverage up to which a pixel is transparent.
  public let black: Float
  /// The coverage from which a pixel is opaque.
  public let white: Float

  /// Makes the keyer.
  public init(black: Float, white: Float) {
    self.black = black
    self.white = white
  }

  /// Keys an opaque picture by the screen's colour, 0…1.
  public func matte(of picture: MattePicture, key: SIMD3<Float>) -> MattePicture {
    let hue = KeyHue(of: key)
    let most = hue.excess(of: SIMD4(key, 1))
    return picture.mapped { color in
      let lack = unitRange(1 - hue.excess(of: SIMD4(color, 1)) / most)
      let alpha = unitRange((lack - black) / (white - black))
      // Below a fiftieth the colour would be noise; it is darkened instead.
      let foreground = (color - key * (1 - alpha)) / max(alpha, 0.02)
      return (foreground.clamped(lowerBound: .zero, upperBound: .one), alpha)
    }
  }
}
