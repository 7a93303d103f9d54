import FFmpeg
import Imaging
import Recipes

/// The `key` section of a job: keyed frames and mattes as numbered PNG files.
///
/// The frames themselves are made on the pool's threads; this type hands them out in order.
final class KeyOutput {
  private let section: KeySection
  private let staging: StagingDirectory
  private let pool: WorkPool
  private let warnings: Warnings
  private var sampler: FrameSampler
  private var keyers: FrameKeyers?
  private var head: KeyReport?
  private(set) var frameCount = 0

  /// An output of files in `staging`, made on the threads of `pool`.
  init(
    _ section: KeySection, into staging: StagingDirectory, on pool: WorkPool, warnings: Warnings
  ) {
    self.section = section
    self.staging = staging
    self.pool = pool
    self.warnings = warnings
    sampler = FrameSampler(section)
  }

  /// What the manifest says of the frames keyed so far; `nil` where there are none.
  var report: KeyReport? {
    guard var report = head else { return nil }
    report.score = keyers?.scored
    return report
  }

  /// Whether no later frame is wanted once `seconds` is reached.
  func isSatisfied(at seconds: Double) -> Bool { sampler.isPast(seconds) }

  /// Keys a frame, if the recipe wants it.
  func consume(_ shown: ShownFrame) throws {
    for wanted in sampler.take(shown) { try key(wanted) }
  }

  /// Keys what is left when the clip ends at `end` seconds.
  func finish(end: Double) throws {
    for wanted in sampler.finish(end: end) { try key(wanted) }
  }

  private func key(_ shown: ShownFrame) throws {
    let picture = FramePicture(shown.frame, size: section.size)
    let keyers = try keyers ?? prepare(picture)
    frameCount += 1
    let (number, seconds) = (frameCount, shown.seconds)
    try pool.add { try keyers.key(picture, number: number, seconds: seconds) }
  }

  /// Measures the screen in the clip's first wanted frame.
  private func prepare(_ picture: FramePicture) throws -> FrameKeyers {
    let frame = picture.frame
    if frame.colour.isHDR { warnings.note("HDR input: keyed as it is, without tone mapping") }
    let plan: KeyPlan
    do {
      plan = try picture.plan(section.keyer)
    } catch let error as KeyError {
      // Whoever needs keyed frames is not served by a thousand opaque ones.
      guard section.optional else { throw error }
      warnings.note("\(error); frames keep the alpha they have")
      plan = KeyPlan(section.keyer, screens: [])
    }
    head = KeyReport(
      plan: plan, size: picture.size, sampleAspectRatio: picture.sampleAspectRatio)
    let keyers = FrameKeyers(plan, formats: section.formats, into: staging)
    self.keyers = keyers
    return keyers
  }
}

/// What the manifest says of the keyed frames.
struct KeyReport {
  /// The settings and the screens they met.
  let plan: KeyPlan
  /// The size of the frames.
  let size: PixelSize
  /// The width of one of their pixels by its height.
  let sampleAspectRatio: Rational
  /// How well the mattes explain the frames; `nil` where that is not known.
  var score: KeyScore?
}
