import Digests
import FFmpeg
import Imaging
import Loudness
import Platform
public import Recipes

/// One input and one recipe, carried out into a staging directory.
public struct MediaJob: Sendable {
  /// The input's path, as messages name it.
  public var input: String
  /// The URL that the input was downloaded from, by which messages and the manifest name it then.
  public var source: String?
  /// What to make.
  public var recipe: Recipe
  /// The name of the recipe, for the manifest.
  public var recipeName: String
  /// The directory to make, which must not be there yet; see design §4.
  public var staging: String
  /// What tracks are named after.
  public var stem: String
  /// How many threads to use, at least 1.
  public var threads: Int
  /// The job of a queue that this is; nil outside a queue.
  public var origin: JobOrigin?
  /// The input and the pictures that the recipe names as they were read, where that was done before.
  public private(set) var identity: SourceIdentity?
  private var isStagingMade = false

  /// A job with all its fields.
  public init(
    input: String, recipe: Recipe, recipeName: String, staging: String, stem: String, threads: Int
  ) {
    self.input = input
    self.recipe = recipe
    self.recipeName = recipeName
    self.staging = staging
    self.stem = stem
    self.threads = threads
  }

  /// Makes the staging directory now, for a process that confines itself to it before it looks at the
  /// input.
  ///
  /// Without this call ``run(report:)`` makes it, once it is clear that there is something to make.
  public mutating func makeStaging() throws(MediaError) {
    try StagingDirectory.make(at: staging)
    isStagingMade = true
  }

  /// Reads the input and the pictures that the recipe names through, so that ``identity`` tells what the
  /// output is made of; looks at nothing in them.
  ///
  /// - Returns: What was found.
  /// - Throws: `MediaError` where one cannot be read, or `report` has returned false.
  public mutating func identify(
    report: @escaping (Progress) -> Bool
  ) throws(MediaError) -> SourceIdentity {
    let found = try SourceIdentity(of: self, report: report)
    identity = found
    return found
  }

  /// Makes everything the recipe asks for, reads it back, syncs it, and writes the manifest last.
  ///
  /// Takes over FFmpeg's log for the whole process. Whatever was made before an error stays in the
  /// staging directory, for the caller to remove.
  /// - Parameter report: Called on this thread as the job goes on; where it returns false the job ends
  ///   with an error of kind `cancelled`.
  /// - Returns: What was made.
  /// - Throws: Why nothing could be made; the input, the disk, or a defect of ours.
  public func run(
    report: @escaping (Progress) -> Bool = { _ in true }
  ) throws(MediaError) -> MediaResult {
    LogCapture.start()
    do {
      return try make(report)
    } catch let error as MediaError {
      guard let source, error.subject == input else { throw error }
      throw MediaError(error.kind, source, error.message)
    } catch let error as PlatformError {
      // A descriptor's number helps nobody: what is open to be written lies there.
      throw error.subject.hasPrefix("descriptor ")
        ? MediaError(error, about: Files.parent(of: staging)) : MediaError(error)
    } catch let error as FFmpegError {
      throw MediaError(error, input: source ?? input)
    } catch let error as KeyError {
      throw MediaError(.input, source ?? input, "\(error)")
    } catch let error as LoudnessError {
      throw MediaError(error == .outOfMemory ? .io : .input, source ?? input, "\(error)")
    } catch {
      throw MediaError(.defect, source ?? input, "\(error)")
    }
  }

  private func make(_ report: @escaping (Progress) -> Bool) throws -> MediaResult {
    let warnings = Warnings()
    let container = try open()
    let plan = try MediaPlan(recipe, for: container, warnings: warnings)
    let identity = try self.identity ?? SourceIdentity(of: self, report: report)
    if !isStagingMade { try StagingDirectory.make(at: staging) }
    let staging = try StagingDirectory(at: staging)
    var pipeline = try Pipeline(
      plan, container: container, staging: staging, stem: stem, threads: threads,
      warnings: warnings, report: report)
    let made = try pipeline.run()
    try refuseDamage(warnings)
    try identity.checkStillHolds(for: input)
    let manifest = Manifest(
      origin: origin, made: identity, format: container.formatName, duration: container.duration,
      recipe: recipe, recipeName: recipeName,
      isPartial: warnings.isPartial, warnings: warnings.lines, key: made.key,
      tracks: made.tracks, stills: made.stills)
    try manifest.write(into: staging)
    try staging.sync()
    let totals = staging.ledger.totals
    return MediaResult(
      isPartial: warnings.isPartial, warnings: warnings.lines, files: totals.count,
      bytes: totals.bytes, frames: made.key?.frames, score: made.key?.report.score?.summary,
      screens: made.key?.report.plan.screens.map(KeyedScreen.init) ?? [],
      copiedTracks: made.tracks.flatMap { track in
        track.files.filter { $0.format == "copy" }.map { file in
          CopiedTrack(
            path: file.record.path, sha256: file.record.sha256.hex, number: track.number,
            inputSHA256: identity.input.sha256.hex)
        }
      })
  }

  private func open() throws -> InputContainer {
    do throws(FFmpegError) {
      let container = try InputContainer.open(input)
      // What FFmpeg said while it guessed the format is no damage yet; decoding will tell.
      _ = LogCapture.take()
      return container
    } catch {
      throw MediaError(opening: input, error)
    }
  }

  private func refuseDamage(_ warnings: Warnings) throws(MediaError) {
    guard recipe.damaged == .fail, warnings.isPartial else { return }
    let first = warnings.first ?? ""
    if let picture = warnings.firstPicture { throw MediaError(.input, picture, first) }
    throw MediaError(.input, input, "the input is damaged: \(first)")
  }
}

/// Which job of which queue an output is of, for its manifest.
public struct JobOrigin: Sendable {
  /// The job's number.
  public let job: Int64
  /// What tells the queue from others.
  public let queue: String

  /// An origin of its parts.
  public init(job: Int64, queue: String) {
    self.job = job
    self.queue = queue
  }
}
