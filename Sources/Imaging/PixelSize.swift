/// The size of a picture in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int

  /// Makes a size of `width` × `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels in a picture of this size.
  public var area: Int { width * height }

  /// Whether the picture is wider than high.
  public var isLandscape: Bool { width > height }

  /// The size with width and height exchanged.
  public var turned: PixelSize { PixelSize(width: height, height: width) }

  /// The largest size of the same aspect that fits under `cap`, and is no larger than this one.
  ///
  /// The cap turns with the picture: 1024x1536 bounds a landscape picture by 1536x1024. Each side
  /// is rounded to the nearest pixel and is at least 1.
  public func fitted(under cap: PixelSize) -> PixelSize {
    precondition(cap.width > 0 && cap.height > 0, "a cap has at least one pixel")
    let bound = isLandscape == cap.isLandscape || cap.width == cap.height ? cap : cap.turned
    guard width > bound.width || height > bound.height else { return self }
    // The side whose ratio is the tighter one lands on the cap exactly.
    if width * bound.height >= height * bound.width {
      return PixelSize(width: bound.width, height: scaled(height, by: bound.width, over: width))
    }
    return PixelSize(width: scaled(width, by: bound.height, over: height), height: bound.height)
  }

  private func scaled(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
    max(1, (side * numerator + denominator / 2) / denominator)
  }
}

extension PixelSize: LosslessStringConvertible {
  /// Reads the form `1024x1536`; `nil` unless both sides are whole numbers of at least 1.
  public init?(_ description: String) {
    let sides = description.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      width > 0, height > 0
    else { return nil }
    self.init(width: width, height: height)
  }

  /// The size as `1024x1536`.
  public var description: String { "\(width)x\(height)" }
}
