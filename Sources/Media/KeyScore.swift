import Imaging

/// How well the mattes of a clip explain its pictures.
struct KeyScore {
  /// The mean residue, in 8-bit steps, up to which a matte is taken for good.
  static let mostResidue = 12.0

  /// What became of the pixels of all frames.
  private(set) var tally = MatteTally()
  /// The frame that is explained worst, and its mean residue.
  private(set) var worst: (frame: Int, residue: Double) = (0, -1)

  /// Adds a frame.
  mutating func add(_ frame: MatteTally, frame number: Int) {
    tally.add(frame)
    let residue = frame.meanResidue
    // Of equals the first, so that the order in which threads end does not matter.
    if residue > worst.residue || (residue == worst.residue && number < worst.frame) {
      worst = (number, residue)
    }
  }

  /// Whether the mattes explain the pictures, and something was keyed at all.
  private var isGood: Bool {
    tally.meanResidue <= Self.mostResidue && tally.transparent * 1000 >= tally.count
  }

  /// What is to be told of it.
  var summary: MatteScore {
    func share(_ part: Int, of all: Int) -> Double { Double(part) / Double(max(all, 1)) }
    return MatteScore(
      verdict: isGood ? .pass : .warn, residue: tally.meanResidue,
      worstResidue: worst.residue, worstFrame: worst.frame,
      transparent: share(tally.transparent, of: tally.count),
      partial: share(tally.partial, of: tally.count), opaque: share(tally.opaque, of: tally.count),
      nearKey: share(tally.paint, of: tally.opaque))
  }
}

/// How good the mattes of a clip are, as far as can be told without the truth.
public struct MatteScore: Hashable, Sendable, Decodable {
  /// Whether somebody should look at the frames.
  public enum Verdict: String, Hashable, Sendable, Decodable {
    /// The mattes explain the pictures.
    case pass
    /// They do not, in places.
    case warn
  }

  /// Whether somebody should look at the frames.
  public let verdict: Verdict
  /// How far the result over the measured screen is from the picture, on average over the pixels between
  /// screen and foreground, in 8-bit steps.
  public let residue: Double
  /// The same in the frame where it is greatest.
  public let worstResidue: Double
  /// That frame's number, from 1.
  public let worstFrame: Int
  /// The share of all pixels that are transparent, 0…1.
  public let transparent: Double
  /// The share of all pixels between transparent and opaque, 0…1.
  public let partial: Double
  /// The share of all pixels that are opaque, 0…1.
  public let opaque: Double
  /// The share of the opaque pixels that were kept though their colour is near the screen's, 0…1.
  public let nearKey: Double
}
