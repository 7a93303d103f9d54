/// How a stored picture has to be turned and mirrored to be seen upright.
///
/// First the picture is turned clockwise, then mirrored left to right. These are the eight
/// orientations of EXIF and of an MP4 display matrix.
public struct Orientation: Hashable, Sendable {
  /// Quarter turns clockwise, 0…3.
  public let quarterTurnsClockwise: Int
  /// Whether the turned picture is mirrored left to right.
  public let isMirrored: Bool

  /// The orientation of a picture that is stored upright.
  public static let upright = Orientation(quarterTurnsClockwise: 0)

  /// Makes an orientation; any number of turns is taken modulo four.
  public init(quarterTurnsClockwise: Int, isMirrored: Bool = false) {
    self.quarterTurnsClockwise = quarterTurnsClockwise & 3
    self.isMirrored = isMirrored
  }

  /// The orientation of an EXIF value 1…8 (Exif 2.32, tag 0x0112); `nil` for any other.
  public init?(exif value: Int) {
    switch value {
    case 1: self = .upright
    case 2: self.init(quarterTurnsClockwise: 0, isMirrored: true)
    case 3: self.init(quarterTurnsClockwise: 2)
    case 4: self.init(quarterTurnsClockwise: 2, isMirrored: true)
    case 5: self.init(quarterTurnsClockwise: 1, isMirrored: true)
    case 6: self.init(quarterTurnsClockwise: 1)
    case 7: self.init(quarterTurnsClockwise: 3, isMirrored: true)
    case 8: self.init(quarterTurnsClockwise: 3)
    default: return nil
    }
  }

  /// The EXIF value 1…8.
  public var exif: Int {
    let plain = [1, 6, 3, 8]
    let mirrored = [2, 5, 4, 7]
    return (isMirrored ? mirrored : plain)[quarterTurnsClockwise]
  }

  /// The orientation that has the effect of this one and then of `next`.
  public func followed(by next: Orientation) -> Orientation {
    // Turning after a mirror is the mirror of turning the other way.
    let turns = isMirrored ? -next.quarterTurnsClockwise : next.quarterTurnsClockwise
    return Orientation(
      quarterTurnsClockwise: quarterTurnsClockwise + turns,
      isMirrored: isMirrored != next.isMirrored)
  }

  /// The size that a picture of `size` has once it is upright.
  public func size(of size: PixelSize) -> PixelSize {
    quarterTurnsClockwise & 1 == 1 ? size.turned : size
  }
}

extension RGBAImage {
  /// The picture made upright.
  public func oriented(by orientation: Orientation) -> RGBAImage {
    guard orientation != .upright else { return self }
    let walk = SourceWalk(size: size, orientation: orientation)
    let source = pixels.span
    return RGBAImage(size: orientation.size(of: size)) { y, row in
      var index = walk.start + y * walk.down
      for _ in 0..<walk.width {
        row.append(source[index])
        index += walk.across
      }
    }
  }
}

/// The order in which the pixels of a stored picture are met when the upright one is read in rows.
private struct SourceWalk {
  /// The index of the upright picture's first pixel.
  let start: Int
  /// The step of the index from one pixel to the next, and from one row to the next.
  let across: Int
  let down: Int
  /// Pixels in an upright row.
  let width: Int

  init(size: PixelSize, orientation: Orientation) {
    let (w, h) = (size.width, size.height)
    // Where the upright picture's top left comes from, and its steps right and down, unmirrored.
    let (corner, right, below) =
      switch orientation.quarterTurnsClockwise {
      case 1: ((h - 1) * w, -w, 1)
      case 2: (h * w - 1, -1, -w)
      case 3: (w - 1, w, -1)
      default: (0, 1, w)
      }
    width = orientation.size(of: size).width
    start = orientation.isMirrored ? corner + (width - 1) * right : corner
    across = orientation.isMirrored ? -right : right
    down = below
  }
}
