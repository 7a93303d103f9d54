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

  init(_ plan: KeyPlan, formats: [KeySection.Format], into staging: StagingDirectory) {
    self.plan = plan
    self.formats = formats
    self.staging = staging
  }

  /// Makes the files of frame `number`, which is shown `seconds` after the first.
  func key(_ picture: FramePicture, number: Int, seconds: Double) throws {
    let lent =
      try idle.withLock { $0.popLast() } ?? Lent(keyer: FrameKeyer(plan, formats: formats))
    defer { idle.withLock { $0.append(lent) } }
    var records = try lent.keyer.key(picture, number: number, into: staging)
    for index in records.indices { records[index].seconds = seconds }
    try staging.ledger.addFrame(number, records)
  }
}
