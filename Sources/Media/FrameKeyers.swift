import FFmpeg
import Imaging
import Recipes
import Synchronization

/// The keyers of one clip, lent to the threads that make its frames.
final class FrameKeyers: Sendable {
  /// Unchecked: a keyer is used by whoever took it out of the lock, and by nobody else until it is
  /// put back.
  private struct Lent: @unchecked Sendable { let keyer: FrameKeyer }

  private let plan: KeyPlan
  private let formats: [KeySection.Format]
  private let staging: StagingDirectory
  private let idle = Mutex<[Lent]>([])
  private let score = Mutex<KeyScore?>(nil)

  init(_ plan: KeyPlan, formats: [KeySection.Format], into staging: StagingDirectory) {
    self.plan = plan
    self.formats = formats
    self.staging = staging
  }

  /// What became of the frames keyed so far; `nil` where that is not counted.
  var scored: KeyScore? { score.withLock { $0 } }

  /// Makes the files of frame `number`, which is shown `seconds` after the first.
  func key(_ picture: FramePicture, number: Int, seconds: Double) throws {
    let lent =
      try idle.withLock { $0.popLast() } ?? Lent(keyer: FrameKeyer(plan, formats: formats))
    defer { idle.withLock { $0.append(lent) } }
    var records = try lent.keyer.key(picture, number: number, into: staging)
    for index in records.indices { records[index].seconds = seconds }
    if let tally = lent.keyer.tally {
      score.withLock { score in
        var sum = score ?? KeyScore()
        sum.add(tally, frame: number)
        score = sum
      }
    }
    try staging.ledger.addFrame(number, records)
  }
}

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

  /// The share of a number of pixels in all.
  func share(_ count: Int) -> Double { Double(count) / Double(max(tally.count, 1)) }
}
