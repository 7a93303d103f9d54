import AudioCache
import Commands

/// `keymill cache stats`: how much is in the cache, and how it is used.
struct CacheStatsCommand: Command {
  static let name = "stats"
  static let summary = "Show how much is in the cache, and how it is used"
  static let examples = [Example("keymill cache stats --json", "for a program")]

  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var cacheOptions: CacheOptions

  func run() throws {
    let cache = try cacheOptions.open()
    let statistics = try cache.statistics()
    if json { return try Output.json(StatisticsJSON(statistics, cache)) }
    Output.result("directory  \(Output.printable(cache.store.root))")
    Output.result("tracks     \(statistics.entries)\(limit(cache.limits.entries.map(String.init)))")
    let maxSize = cache.limits.bytes.map { ByteCount.text(Int($0)) }
    Output.result("size       \(ByteCount.text(Int(statistics.bytes)))\(limit(maxSize))")
    Output.result("origins    \(statistics.origins)")
    Output.result("in use     \(statistics.leased)")
    Output.result("downloads  \(statistics.downloads)")
    Output.result("asked for  \(statistics.hits + statistics.misses), \(statistics.hits) found")
    Output.result("disk free  \(ByteCount.text(Int(statistics.freeBytes)))")
  }

  private func limit(_ text: String?) -> String { text.map { " of \($0)" } ?? "" }
}

/// What `cache stats --json` prints.
private struct StatisticsJSON: Encodable {
  let directory: String
  let entries: Int
  let maxEntries: Int?
  let bytes: Int64
  let maxBytes: Int64?
  let cost: Int64
  let origins: Int
  let leased: Int
  let downloads: Int
  let hits: Int64
  let misses: Int64
  let freeBytes: Int64

  init(_ statistics: CacheStatistics, _ cache: TrackCache) {
    directory = cache.store.root
    entries = statistics.entries
    maxEntries = cache.limits.entries
    bytes = statistics.bytes
    maxBytes = cache.limits.bytes
    cost = statistics.cost
    origins = statistics.origins
    leased = statistics.leased
    downloads = statistics.downloads
    hits = statistics.hits
    misses = statistics.misses
    freeBytes = statistics.freeBytes
  }
}
