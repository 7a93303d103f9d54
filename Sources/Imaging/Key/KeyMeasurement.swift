/// A screen colour as it was found in a picture.
public struct KeyMeasurement: Hashable, Sendable {
  /// The median colour of the screen.
  public var color: RGBColor
  /// The colour as its codes have it, which may lie outside the RGB cube.
  var unclamped: SIMD3<Float>
  /// The median chroma distance of the screen's pixels from the colour.
  var noise: Float = 0
  /// The root mean square chroma distance of the screen's pixels from the colour.
  public var spread: Float
  /// The share of the picture's border that is within reach of the colour, 0…1.
  public var borderShare: Float
  /// Whether more of the picture than a detail has the colour; not known of one that is only named.
  public var isFound = false

  /// Makes a measurement; a colour that is only named has no spread and fills the border.
  public init(color: RGBColor, spread: Float = 0, borderShare: Float = 1) {
    self.color = color
    unclamped = color.channels
    self.spread = spread
    self.borderShare = borderShare
  }

  /// Makes a measurement of a colour that may lie outside the RGB cube.
  init(unclamped: SIMD3<Float>, noise: Float, spread: Float, borderShare: Float) {
    color = RGBColor(clamping: unclamped)
    self.unclamped = unclamped
    self.noise = noise
    self.spread = spread
    self.borderShare = borderShare
  }

  /// How far the colour, as its codes have it, is from another, where 1 is the way from black to white
  /// in one channel.
  public func distance(to other: RGBColor) -> Float {
    let away = unclamped - other.channels
    return (away * away).sum().squareRoot()
  }

  /// How far the colour is from grey.
  var chroma: Float {
    let place = ChromaDistance.chroma(
      red: unclamped.x, green: unclamped.y, blue: unclamped.z)
    return (place.cr * place.cr + place.cb * place.cb).squareRoot()
  }
}
