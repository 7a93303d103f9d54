import AudioCache
import Commands
import Digests

/// `keymill cache remove`: tracks out of the cache, for good.
struct CacheRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove tracks from the cache"
  static let discussion = """
    Outputs that share their bytes with the cache keep them. A track that a running job uses is not \
    removed; the command then exits with 75.
    """
  static let examples = [
    Example("keymill cache remove 30dedb57", "by the first digits of its SHA-256"),
    Example("keymill cache remove https://example.org/a.mp3", "by its URL"),
  ]

  @Argument(help: "URLs, local files, or first digits of a SHA-256.", valueName: "track")
  var tracks: [String]
  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var cacheOptions: CacheOptions

  func run() throws {
    let cache = try cacheOptions.open()
    // All of them first, so that a mistyped one removes nothing.
    let found = try tracks.map { try CacheSelection($0).require(in: cache) }
    var removed: [String] = []
    var firstFailure: ExitCode?
    for track in found {
      do {
        if try cache.remove(track.digest) { removed.append(track.digest.hex) }
      } catch {
        let report = ErrorReport(error)
        Output.message("keymill: \(report.message)")
        firstFailure = firstFailure ?? report.exitCode
      }
    }
    if json {
      try Output.json(["removed": removed])
    } else {
      removed.forEach(Output.result)
    }
    if let firstFailure { throw firstFailure }
  }
}
