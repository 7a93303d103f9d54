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
  private var matrix: ColourDescription.Matrix?
  private var head: KeyReport?
  private var isOtherSizeTold = false
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

  /// What the manifest says of the frames, once all are made; `nil` where there are none.
  ///
  /// Notes what is odd about them.
  func settle() -> KeyReport? {
    guard var report = head else { return nil }
    report.score = keyers?.scored
    if let fault = report.score?.fault { warnings.note("the matte: \(fault)") }
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
    let keyers = try keyers ?? prepare(shown.frame)
    let isTagged = shown.frame.colour.matrix != .unspecified
    let frame = try (isTagged ? nil : matrix).map(shown.frame.assuming) ?? shown.frame
    let picture = FramePicture(frame, size: section.size)
    frameCount += 1
    let (number, seconds) = (frameCount, shown.seconds)
    tellSize(picture.size, number: number, seconds: seconds)
    try pool.add { try keyers.key(picture, number: number, seconds: seconds) }
  }

  /// Tells of the first frame that has another size than the clip's first, which the manifest states.
  private func tellSize(_ size: PixelSize, number: Int, seconds: Double) {
    guard let first = head?.size, size != first, !isOtherSizeTold else { return }
    isOtherSizeTold = true
    warnings.note(
      "frames differ in size: frame \(number) at \(Timecode.text(seconds)) is \(size), "
        + "and those before it \(first); give a size for all of them")
  }

  /// Measures the screen in the clip's first wanted frame.
  private func prepare(_ frame: Frame) throws -> FrameKeyers {
    let setup = try KeySetup(section, first: frame, warnings: warnings)
    let picture = FramePicture(frame, size: section.size)
    matrix = setup.matrix
    head = KeyReport(
      plan: setup.plan, alpha: section.alpha, matrix: setup.matrix ?? picture.matrix,
      size: picture.size, sampleAspectRatio: picture.sampleAspectRatio)
    let keyers = FrameKeyers(
      setup.plan, formats: section.formats, alpha: section.alpha, into: staging)
    self.keyers = keyers
    return keyers
  }
}

/// What the manifest says of the keyed frames.
struct KeyReport {
  /// The settings and the screens they met.
  let plan: KeyPlan
  /// How colour and alpha of the frames belong together.
  let alpha: KeySection.Alpha
  /// What the clip was decoded with.
  let matrix: ColourDescription.Matrix
  /// The size of the frames.
  let size: PixelSize
  /// The width of one of their pixels by its height.
  let sampleAspectRatio: Rational
  /// How well the mattes explain the frames; `nil` where that is not known.
  var score: KeyScore?
}
