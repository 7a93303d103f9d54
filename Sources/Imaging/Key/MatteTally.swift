/// What became of the pixels of pictures keyed in mode `clean`, and how well the matte explains them.
public struct MatteTally: Hashable, Sendable {
  /// Pixels that are all screen.
  public var transparent = 0
  /// Pixels between screen and foreground.
  public var partial = 0
  /// Pixels that are all foreground.
  public var opaque = 0
  /// Pixels of a colour near the screen's that were kept as paint.
  public var paint = 0
  /// Over the pixels between, the sum of what the result over the screen differs from the picture,
  /// in 8-bit steps.
  public var residue: Double = 0

  /// A tally of nothing.
  public init() {}

  /// All pixels.
  public var count: Int { transparent + partial + opaque }

  /// What the result over the measured screen differs from the picture on average over the pixels
  /// between screen and foreground, in 8-bit steps: small where the matte explains the picture.
  public var meanResidue: Double { partial == 0 ? 0 : residue / Double(partial) }

  /// Adds another tally.
  public mutating func add(_ other: MatteTally) {
    transparent += other.transparent
    partial += other.partial
    opaque += other.opaque
    paint += other.paint
    residue += other.residue
  }
}
