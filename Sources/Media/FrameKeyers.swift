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
  private let alpha: KeySection.Alpha
  private let staging: StagingDirectory
  private let idle = Mutex<[Lent]>([])
  private let score = Mutex<KeyScore?>(nil)

  init(
    _ plan: KeyPlan, formats: [KeySection.Format], alpha: KeySection.Alpha,
    into staging: StagingDirectory
  ) {
    self.plan = plan
    self.formats = formats
    self.alpha = alpha
    self.staging = staging
  }

  /// What became of the frames keyed so far; `nil` where that is not counted.
  var scored: KeyScore? { score.withLock { $0 } }

  /// Makes the files of frame `number`, which is shown `seconds` after the first.
  func key(_ picture: FramePicture, number: Int, seconds: Double) throws {
    let lent =
      try idle.withLock { $0.popLast() }
      ?? Lent(keyer: FrameKeyer(plan, formats: formats, alpha: alpha))
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
