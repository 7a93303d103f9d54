/// A screen colour as it was found in a picture.
public struct KeyMeasurement: Hashable, Sendable {
  /// The mean colour of the screen.
  public var color: RGBColor
  /// The root mean square chroma distance of the screen's pixels from the colour.
  public var spread: Float
  /// The share of the picture's border that is within reach of the colour, 0…1.
  public var borderShare: Float

  /// Makes a measurement; a colour that is only named has no spread and fills the border.
  public init(color: RGBColor, spread: Float = 0, borderShare: Float = 1) {
    self.color = color
    self.spread = spread
    self.borderShare = borderShare
  }
}
