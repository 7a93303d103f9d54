import FFmpeg
import Imaging
import Recipes

/// The `stills` section of a job: pictures of the clip at given instants, or of a picture itself.
final class StillOutput {
  private let maker: StillMaker
  private let pool: WorkPool
  private let warnings: Warnings
  private var schedule: StillSchedule
  private var held: ShownFrame?

  init(
    _ section: StillsSection, at schedule: StillSchedule, into staging: StagingDirectory,
    on pool: WorkPool, warnings: Warnings
  ) throws(MediaError) {
    maker = try StillMaker(section, into: staging, warnings: warnings)
    self.schedule = schedule
    self.pool = pool
    self.warnings = warnings
  }

  /// Whether all stills have been taken.
  var isSatisfied: Bool { schedule.isEmpty }

  /// Looks at the clip's next frame: the one before it serves all instants before this one.
  func consume(_ shown: ShownFrame) throws {
    let source = held ?? shown
    for instant in schedule.take(before: shown.seconds) { try make(instant, of: source) }
    held = schedule.isEmpty ? nil : shown
  }

  /// Takes the stills that are left from the clip's last frame; a picture has no instants to miss.
  func finish(end: Double, isPicture: Bool) throws {
    guard let held else { return }
    for instant in schedule.takeRest() {
      if !isPicture && instant.seconds > end + 1e-3 {
        warnings.note(
          "still \(instant.number) at \(Timecode.text(instant.seconds)): the clip ends at "
            + "\(Timecode.text(end)); its last frame was taken")
      }
      try make(instant, of: held)
    }
  }

  /// Enters the stills in the ledger once the pool has made them all.
  func settle() throws -> [StillReport] { try maker.finish() }

  private func make(_ instant: StillSchedule.Instant, of shown: ShownFrame) throws {
    let (maker, frame, seconds) = (maker, shown.frame, shown.seconds)
    try pool.add { try maker.make(frame, number: instant.number, seconds: seconds) }
  }
}

/// What the manifest says of one still.
struct StillReport {
  /// Its number, from 1 in the order of `at`.
  let number: Int
  /// When the frame it shows is shown, in seconds from the first.
  let seconds: Double
  /// Its size.
  let size: PixelSize
  /// Its files, one a format.
  let files: [FileRecord]
}
