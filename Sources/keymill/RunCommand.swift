import AudioCache
import Commands
import Digests
import FoundationEssentials
import Glibc
import Media
import Platform
import Recipes
import Worker

/// `keymill run`: carries a recipe out now, without a queue.
struct RunCommand: Command {
  static let name = "run"
  static let summary = "Carry out a recipe now"
  static let discussion = """
    Makes what the recipe asks for from each input in turn. An output is published whole or not at \
    all; one that is there already is replaced. Damaged inputs give what decodes, with warnings.
    """
  static let examples = [
    Example("keymill run jobs/sprite.json clip.mp4", "key to out/clip/frames/000001.png …"),
    Example("keymill run jobs/stills.json -o web *.jpg", "a filtered still of each photo"),
    Example("keymill run jobs/audio.json https://example.org/a.mp3", "downloaded once, and kept"),
    Example("keymill run r.json -- -odd-name-.mp4", "an input whose name begins with a dash"),
  ]

  @Argument(help: "The recipe: a JSON file, or the name of an installed one.")
  var recipe: String
  @Argument(help: "The media files, or http and https URLs of them.", valueName: "input")
  var inputs: [String]
  @Option(name: .shortAndLong, help: "Where output directories go.", valueName: "dir")
  var output = "out"
  @Option(help: "How many threads to use; all cores by default.", valueName: "n")
  var threads: Int?
  @OptionGroup var downloadOptions: DownloadArguments
  @Flag(help: "Print what was made as JSON.")
  var json: Bool
  @Flag(name: .shortAndLong, help: "No progress, no list of what was made.")
  var quiet: Bool

  func validate() throws {
    if let threads, threads < 1 { throw UsageError("--threads must be at least 1") }
  }

  func run() throws {
    Host.giveBackLoadedPages()
    let recipe = try LoadedRecipe(recipe)
    var place = try OutputPlace(output)
    let signals = try SignalWatch([.interrupt, .terminate, .hangup])
    var made: [RunResult] = []
    var failures: [RunFailure] = []
    var isInterrupted = false
    for input in inputs where !isInterrupted {
      do {
        let path = try Inputs.check(input)
        let result = try make(
          input, recipe, at: try place.path(for: path), signals: signals)
        made.append(result)
        if !quiet && !json { tell(result) }
      } catch {
        let report = ErrorReport(error)
        isInterrupted = Self.isInterruption(error)
        if (inputs.count == 1 || isInterrupted) && !json { throw error }
        Output.message("keymill: \(report.message)")
        failures.append(
          RunFailure(
            input: InputName(input).shown, error: report.message, exitCode: report.exitCode.rawValue
          ))
      }
    }
    if json {
      let results = RunResults(outputs: made, failures: failures, interrupted: isInterrupted)
      try Output.json(results)
      // Whatever failed before: the rest is worth another try.
      if isInterrupted { throw ExitCode.tryAgain }
    }
    guard let first = failures.first else { return }
    if inputs.count > 1 {
      Output.message("keymill: \(failures.count) of \(inputs.count) inputs failed")
    }
    throw ExitCode(rawValue: first.exitCode)
  }

  private static func isInterruption(_ error: any Error) -> Bool {
    if case let error as MediaError = error { return error.kind == .cancelled }
    return error is DownloadCancelled
  }

  private func make(
    _ input: String, _ recipe: LoadedRecipe, at output: String, signals: SignalWatch
  ) throws -> RunResult {
    let cache = try CacheOptions().open()
    let publisher = Publisher(cache: cache)
    let name = InputName(input)
    RunStaging.sweep(beside: output)
    let staging = try RunStaging.path(for: output)
    let bar = TerminalProgress()
    defer {
      bar.clear()
      try? publisher.discard(staging)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let downloaded = try name.isURL ? download(name, into: cache, signals, bar) : nil
    var job = MediaJob(
      input: downloaded?.path ?? input, recipe: recipe.recipe, recipeName: recipe.name,
      staging: staging,
      stem: OutputPlace.stem(of: input), threads: threads ?? CoreCount.available)
    if name.isURL { job.source = name.shown }
    // Its file must not go before the job is done with it.
    let result = try withExtendedLifetime(downloaded) {
      try job.run { progress in
        if !quiet { bar.show(ProgressLine(progress, of: name.fileName)) }
        return (try? signals.next()) == nil
      }
    }
    // Kept or not, the output is made.
    try? downloaded?.accept(in: cache)
    let content = result.copiedTracks.first.flatMap { SHA256Digest(hex: $0.inputSHA256) }
    if let trouble = publisher.keepTracks(
      of: JobResult(result), from: content, in: staging, isOwn: true)
    {
      bar.clear()
      Output.message("keymill: \(trouble)")
    }
    let replaced = try publisher.put(staging, at: output)
    try publisher.settle(output, replaced: replaced)
    return RunResult(
      input: name.shown, output: output, files: result.files, bytes: result.bytes,
      partial: result.isPartial, warnings: result.warnings,
      seconds: (clock.now - start) / .seconds(1))
  }

  private func download(
    _ url: InputName, into cache: TrackCache, _ signals: SignalWatch, _ bar: TerminalProgress
  ) throws -> DownloadedInput {
    let options = downloadOptions.options(cache, maxAge: DownloadArguments.usualMaxAge)
    return try Downloader(options, signals).fetch(url) { news in
      if !quiet { bar.show(news, of: url) }
    }
  }

  private func tell(_ result: RunResult) {
    for warning in result.warnings { Output.message("keymill: \(result.input): \(warning)") }
    Output.result(result.output)
    Output.message(
      "\(result.input): \(result.files) \(result.files == 1 ? "file" : "files"), "
        + "\(ByteCount.text(result.bytes)), "
        + "\(String(tenths: result.seconds)) s\(result.partial ? ", from a damaged input" : "")")
  }
}

/// What `run --json` prints.
private struct RunResults: Encodable {
  let outputs: [RunResult]
  let failures: [RunFailure]
  /// Whether a signal ended it: inputs that are in neither list were not begun.
  let interrupted: Bool
}

/// An input of which nothing was made.
private struct RunFailure: Encodable {
  let input: String
  let error: String
  let exitCode: Int32
}

/// One input's output.
private struct RunResult: Encodable {
  let input: String
  let output: String
  let files: Int
  let bytes: Int
  let partial: Bool
  let warnings: [String]
  let seconds: Double
}

extension ProgressLine {
  /// A line of a job's own report; `input` is the input's name for short.
  init(_ progress: Media.Progress, of input: String) {
    self.init(
      title: input, stage: progress.stage, fraction: progress.fraction,
      frames: progress.frames == 0 ? nil : progress.frames,
      framesPerSecond: progress.frames == 0 ? nil : progress.framesPerSecond,
      remaining: progress.secondsLeft.map { .seconds($0) })
  }
}

extension JobResult {
  /// What a job process or `run` has made.
  init(_ result: MediaResult) {
    self.init(
      partial: result.isPartial, warnings: result.warnings, files: result.files,
      bytes: result.bytes, frames: result.frames,
      score: result.score.map { score in
        Score(
          verdict: score.verdict.rawValue, residue: score.residue,
          worstResidue: score.worstResidue, worstFrame: score.worstFrame,
          transparent: score.transparent, partial: score.partial, opaque: score.opaque,
          nearKey: score.nearKey,
          screens: result.screens.map { Screen(color: $0.color, spread: $0.spread) })
      },
      tracks: result.copiedTracks.map { track in
        Track(path: track.path, sha256: track.sha256, number: track.number)
      })
  }
}
