import Imaging

/// How well the mattes of a clip explain its pictures.
struct KeyScore {
  /// The mean residue, in 8-bit steps, up to which a matte is taken for good.
  static let mostResidue = 12.0

  /// The transparent share below which a frame counts as kept whole, and the one above which another
  /// frame shows that the clip has a screen to take out.
  private static let (least, clear) = (0.001, 0.1)

  /// What became of the pixels of all frames.
  private(set) var tally = MatteTally()
  /// The frame that is explained worst, and its mean residue.
  private(set) var worst: (frame: Int, residue: Double) = (0, -1)
  /// The frames of which hardly anything is transparent: how many there are, and the first of them.
  private var kept: (count: Int, first: Int) = (0, .max)
  /// The greatest share of a frame that is transparent.
  private var clearest = 0.0

  /// Adds a frame.
  mutating func add(_ frame: MatteTally, frame number: Int) {
    tally.add(frame)
    let residue = frame.meanResidue
    // Of equals the first, so that the order in which threads end does not matter.
    if residue > worst.residue || (residue == worst.residue && number < worst.frame) {
      worst = (number, residue)
    }
    let transparent = share(frame.transparent, of: frame.count)
    clearest = max(clearest, transparent)
    if transparent < Self.least { kept = (kept.count + 1, min(kept.first, number)) }
  }

  /// Whether the mattes explain the pictures, and something was keyed at all, and in each frame.
  private var isGood: Bool {
    tally.meanResidue <= Self.mostResidue && tally.transparent * 1000 >= tally.count
      && fault == nil
  }

  /// What is wrong with the shares of the frames, in words; `nil` where nothing is.
  var fault: String? {
    if tally.count > 0, tally.transparent == tally.count {
      return "the frames are transparent all over: nothing of the clip was kept"
    }
    guard kept.count > 0, clearest > Self.clear else { return nil }
    let frames = kept.count == 1 ? "frame" : "\(kept.count) frames, the first of them"
    return "nothing was made transparent in \(frames) \(kept.first), and up to "
      + "\(Int((clearest * 100).rounded())) % in others: does the screen change or go dark there?"
  }

  /// What is to be told of it.
  var summary: MatteScore {
    MatteScore(
      verdict: isGood ? .pass : .warn, residue: tally.meanResidue,
      worstResidue: worst.residue, worstFrame: worst.frame,
      transparent: share(tally.transparent, of: tally.count),
      partial: share(tally.partial, of: tally.count), opaque: share(tally.opaque, of: tally.count),
      nearKey: share(tally.paint, of: tally.opaque))
  }

  private func share(_ part: Int, of all: Int) -> Double { Double(part) / Double(max(all, 1)) }
}

/// How good the mattes of a clip are, as far as can be told without the truth.
public struct MatteScore: Hashable, Sendable, Decodable {
  /// Whether somebody should look at the frames.
  public enum Verdict: String, Hashable, Sendable, Decodable {
    /// The mattes explain the pictures.
    case pass
    /// They do not, in places; or a frame was kept whole where others were not, or nothing was kept.
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
