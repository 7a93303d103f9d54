/// How the stored pixels of a picture are turned to stand upright: one of eight orientations.
///
/// The operation to apply to the stored pixels is, in this order:
/// 1. if ``isMirrored``, mirror left to right;
/// 2. turn clockwise by ``quarterTurns`` times 90 degrees.
public struct DisplayTransform: Hashable, Sendable {
  /// Turns of 90 degrees clockwise, 0…3, after mirroring.
  public let quarterTurns: Int
  /// Whether left and right are exchanged before turning.
  public let isMirrored: Bool

  /// Creates a transform; any number of quarter turns, also negative, is taken modulo 4.
  public init(quarterTurns: Int, isMirrored: Bool = false) {
    self.quarterTurns = ((quarterTurns % 4) + 4) % 4
    self.isMirrored = isMirrored
  }

  /// The stored pixels already stand upright.
  public static let identity = DisplayTransform(quarterTurns: 0)

  /// Whether there is nothing to do.
  public var isIdentity: Bool { self == .identity }

  /// Whether width and height change places.
  public var swapsAxes: Bool { quarterTurns % 2 == 1 }

  /// The transform of an EXIF (TIFF 6.0 tag 274) orientation, or nil outside 1…8.
  public init?(exifOrientation: Int) {
    // The value names the sides that the stored row 0 and column 0 show, e.g. 6: right, top.
    switch exifOrientation {
    case 1: self.init(quarterTurns: 0)
    case 2: self.init(quarterTurns: 0, isMirrored: true)
    case 3: self.init(quarterTurns: 2)
    case 4: self.init(quarterTurns: 2, isMirrored: true)
    case 5: self.init(quarterTurns: 3, isMirrored: true)
    case 6: self.init(quarterTurns: 1)
    case 7: self.init(quarterTurns: 1, isMirrored: true)
    case 8: self.init(quarterTurns: 3)
    default: return nil
    }
  }

  /// The transform nearest to a display matrix (ISO/IEC 14496-12 `tkhd`), nine numbers.
  ///
  /// The matrix sends stored x to `(matrix[0], matrix[1])` and stored y to
  /// `(matrix[3], matrix[4])`, with y downwards; only signs and relative sizes matter here. Angles
  /// in between are rounded to a quarter turn. A matrix that shows nothing (singular, or not of
  /// nine numbers) is taken as the identity.
  public init(displayMatrix matrix: [Int32]) {
    guard matrix.count == 9 else {
      self = .identity
      return
    }
    let (a, b) = (Double(matrix[0]), Double(matrix[1]))
    let (c, d) = (Double(matrix[3]), Double(matrix[4]))
    let determinant = a * d - b * c
    guard determinant != 0 else {
      self = .identity
      return
    }
    // Mirroring leaves the y axis alone, so where y goes is the turn.
    let turns = abs(d) >= abs(c) ? (d > 0 ? 0 : 2) : (c > 0 ? 3 : 1)
    self.init(quarterTurns: turns, isMirrored: determinant < 0)
  }

  /// The transform that is `self` followed by `next`.
  public func followed(by next: DisplayTransform) -> DisplayTransform {
    // Mirroring after a turn is mirroring before the opposite turn.
    let turns = next.isMirrored ? -quarterTurns : quarterTurns
    return DisplayTransform(
      quarterTurns: turns + next.quarterTurns, isMirrored: isMirrored != next.isMirrored)
  }
}

extension DisplayTransform: CustomStringConvertible {
  /// Such as `90° clockwise` or `mirrored, 270° clockwise`.
  public var description: String {
    switch (isMirrored, quarterTurns) {
    case (false, 0): "upright"
    case (true, 0): "mirrored"
    case (false, let turns): "\(turns * 90)° clockwise"
    case (true, let turns): "mirrored, \(turns * 90)° clockwise"
    }
  }
}
