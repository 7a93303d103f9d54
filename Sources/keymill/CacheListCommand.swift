import AudioCache
import Commands
import Digests
import FoundationEssentials

/// `keymill cache list`: what is in the cache.
struct CacheListCommand: Command {
  static let name = "list"
  static let summary = "List the tracks in the cache, the last used first"
  static let examples = [
    Example("keymill cache list", "the hundred that were used last"),
    Example("keymill cache list --limit 1000000 --json", "all of them, a line of JSON each"),
  ]

  @Option(help: "At most so many.", valueName: "n")
  var limit = 100
  @Flag(help: "Print a line of JSON for each.")
  var json: Bool
  @OptionGroup var cacheOptions: CacheOptions

  func validate() throws {
    if limit < 1 { throw UsageError("--limit must be at least 1") }
  }

  func run() throws {
    let cache = try cacheOptions.open()
    if json {
      return try cache.forEach(limit: limit) {
        try Output.jsonLine(CacheTrackJSON($0, in: cache))
      }
    }
    var table = TextTable(["DIGEST", "FORMAT", "SIZE", "LAST USED", "EXPIRES", "FROM"])
    var isEmpty = true
    try cache.forEach(limit: limit) { track in
      isEmpty = false
      table.add([
        String(track.digest.hex.prefix(12)), track.file.fileExtension,
        ByteCount.text(Int(track.file.size)), track.usedAt.formatted(.iso8601),
        track.expiresAt.map { $0 <= .now ? "expired" : $0.formatted(.iso8601) } ?? "never",
        try cache.origins(of: track).first?.origin.location ?? "-",
      ])
    }
    guard !isEmpty else { return Output.message("the cache is empty") }
    table.lines.forEach { Output.result(Output.printable($0)) }
  }
}
