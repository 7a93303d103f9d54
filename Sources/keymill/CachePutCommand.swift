import AudioCache
import Commands
import Digests
import struct FoundationEssentials.Date
import Platform
import Recipes

/// `keymill cache put`: a file of the user's into the cache.
struct CachePutCommand: Command {
  static let name = "put"
  static let summary = "Put files into the cache"
  static let discussion = """
    A file is copied and stays as it is. It is found again by its path, as long as it has not changed, \
    by its SHA-256, and by the URL that --url gives it. A file that cannot be put in does not keep the \
    others out; the command then ends with the code of the first such one.
    """
  static let examples = [
    Example("keymill cache put a.mp3 b.mp3", "found by their paths"),
    Example("keymill cache put a.mp3 --url https://example.org/a.mp3", "as if downloaded"),
    Example("keymill cache put jingle.wav --expires 30d", "for a month"),
  ]

  @Argument(help: "The files.", valueName: "file")
  var files: [String]
  @Option(help: "The URL that the file came from.", valueName: "url")
  var url: String?
  @Option(help: "How long it may be used: never, a time like 30d, or a date.", valueName: "when")
  var expires: ExpiryArgument?
  @Option(help: "What it counts for against a limit of cost; its size by default.", valueName: "n")
  var cost: Int64?
  @Flag(help: "Print a line of JSON for each.")
  var json: Bool
  @OptionGroup var cacheOptions: CacheOptions

  func validate() throws {
    if url != nil && files.count > 1 { throw UsageError("--url is for one file") }
    if expires?.isOver == true { throw UsageError("--expires is over already") }
    if let cost, cost < 0 { throw UsageError("--cost must not be negative") }
    if let cost, cost > CacheLimits.largestCost {
      throw UsageError("--cost must not be above \(CacheLimits.largestCost)")
    }
    if let url, !InputName(url).isURL {
      throw UsageError("--url must begin with http:// or https://")
    }
  }

  func run() throws {
    let cache = try cacheOptions.open()
    var firstFailure: ExitCode?
    for file in files {
      do {
        try put(file, into: cache)
      } catch {
        let report = ErrorReport(error)
        Output.message("keymill: \(report.message)")
        firstFailure = firstFailure ?? report.exitCode
      }
    }
    if let firstFailure { throw firstFailure }
  }

  private func put(_ file: String, into cache: TrackCache) throws {
    let path = try Inputs.checkFile(file)
    let status = try FileStatus(path)
    // Before it is copied, and others go for its sake.
    guard cache.limits.canHold(size: status.size, cost: cost) else { throw notKept(file) }
    let parts = Files.name(of: path).split(separator: ".", omittingEmptySubsequences: false)
    let track = try cache.insert(
      copyOf: path, fileExtension: parts.count > 1 ? String(parts[parts.count - 1]) : "bin",
      origin: url.map { .url(InputName($0).shown) } ?? .file(path),
      validators: url == nil ? Validators(status) : Validators(), cost: cost,
      expiry: expires?.expiry ?? .never
    ).track
    // In the store, as asking the cache would count as a use.
    guard try cache.store.lookup(track.digest) != nil else { throw notKept(file) }
    if json {
      try Output.jsonLine(CacheTrackJSON(track, in: cache))
    } else {
      Output.result(track.digest.hex)
    }
  }

  private func notKept(_ file: String) -> InputError {
    InputError(
      description: "\(file): not kept: the cache's limits leave no room for it", exitCode: .io)
  }
}

/// How long an entry may be used, as an argument.
struct ExpiryArgument: ExpressibleByArgument {
  let expiry: Expiry

  /// Whether that leaves no time at all.
  var isOver: Bool {
    switch expiry {
    case .never: false
    case .after(let duration): duration <= .zero
    case .date(let date): date <= .now
    }
  }

  init?(argument: String) {
    if argument == "never" {
      expiry = .never
    } else if let duration = Duration(argument: argument) {
      expiry = .after(duration)
    } else if let date = Date(argument: argument) {
      expiry = .date(date)
    } else {
      return nil
    }
  }

  static var expectation: String { "never, a time like 30d, or a date like 2030-01-31" }
}
