/// A place along one side of a picture.
public enum Place: Hashable, Sendable {
  /// Pixels from the left or the top.
  case pixels(Double)
  /// A share of the side: 0…1 in the picture, less or more outside.
  case share(Double)

  /// The place on a side of `length` pixels.
  public func on(_ length: Int) -> Double {
    switch self {
    case .pixels(let pixels): pixels
    case .share(let share): share * Double(length)
    }
  }
}

/// A piece of a mask as a recipe draws it, on frames as they are written.
public enum MaskShape: Hashable, Sendable {
  /// A rectangle by its left and top side, width and height.
  case rectangle(x: Place, y: Place, width: Place, height: Place)
  /// A polygon by its corners.
  case polygon([Corner])
  /// What is white in a picture, which is scaled to the frame.
  case picture(path: String)

  /// A corner of a polygon.
  public struct Corner: Hashable, Sendable {
    /// Where it is across.
    public var x: Place
    /// Where it is down.
    public var y: Place

    /// A corner at a place.
    public init(x: Place, y: Place) {
      self.x = x
      self.y = y
    }
  }

  /// The file that it takes, if it does.
  public var path: String? {
    if case .picture(let path) = self { path } else { nil }
  }
}
