/// A part of a picture whose matte does not follow from its colours: one that is shut out, or kept.
///
/// Its shapes are drawn once, whatever number of frames they cover.
public struct KeyMask: Hashable, Sendable {
  /// One piece of the part.
  public enum Shape: Hashable, Sendable {
    /// The inside of a polygon, whose corners are in pixels from the picture's top left corner.
    case polygon([SIMD2<Double>])
    /// What is white in a picture of the size of those that are keyed.
    case plane(MaskPlane)
  }

  /// What the pieces cover together; nil for nothing at all.
  let plane: MaskPlane?

  /// Makes the mask of some shapes, which may overlap, on a picture of a size.
  ///
  /// Pictures of other sizes are covered in proportion.
  public init(_ shapes: [Shape], on size: PixelSize) {
    guard !shapes.isEmpty else {
      plane = nil
      return
    }
    var plane = MaskPlane(size)
    for shape in shapes {
      switch shape {
      case .polygon(let corners): plane.add(PolygonCoverage(corners, width: size.width))
      case .plane(let other): plane.add(other.resized(to: size))
      }
    }
    self.plane = plane
  }

  /// Covers nothing.
  public static let none = KeyMask([], on: PixelSize(width: 1, height: 1))

  /// Whether there is nothing to cover.
  public var isEmpty: Bool { plane == nil }

  /// Whether every pixel is covered whole.
  public var isWhole: Bool { plane?.isWhole ?? false }
}
