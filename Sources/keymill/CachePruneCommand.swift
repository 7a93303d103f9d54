import AudioCache
import Commands

/// `keymill cache prune`: makes the cache as small as it is to be.
struct CachePruneCommand: Command {
  static let name = "prune"
  static let summary = "Remove what is out of date, and what was used least recently"
  static let discussion = """
    Without options the limits of the environment are kept to. A track that a running job uses is \
    never removed. To free the disk, tracks that outputs share by hard links are passed over: removing \
    them would free nothing.
    """
  static let examples = [
    Example("keymill cache prune --max-size 50G", "down to 50 GB"),
    Example("keymill cache prune --keep-free 20G", "until 20 GB of the disk are free"),
    Example("keymill cache prune --max-entries 0", "empty it of all that is not in use"),
  ]

  @Option(help: "How much all tracks may have together.", valueName: "size")
  var maxSize: ByteSize?
  @Option(help: "How many tracks there may be.", valueName: "n")
  var maxEntries: Int?
  @Option(help: "What all tracks may cost together.", valueName: "n")
  var maxCost: Int64?
  @Option(help: "How much of the disk is to be free.", valueName: "size")
  var keepFree: ByteSize?
  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var cacheOptions: CacheOptions

  func validate() throws {
    if let maxEntries, maxEntries < 0 { throw UsageError("--max-entries must not be negative") }
    if let maxCost, maxCost < 0 { throw UsageError("--max-cost must not be negative") }
  }

  func run() throws {
    let cache = try cacheOptions.open()
    var limits = cache.limits
    limits.bytes = maxSize?.bytes ?? limits.bytes
    limits.entries = maxEntries ?? limits.entries
    limits.cost = maxCost ?? limits.cost
    limits.freeBytes = keepFree?.bytes ?? limits.freeBytes
    // What is asked for here is done as far as can be; the usual reserve is not worth an empty cache.
    let report = try cache.prune(to: keepFree == nil ? cache.attainable(limits) : limits)
    if json { return try Output.json(PruneJSON(report)) }
    var text = "\(report.removed + report.downloads) removed, \(ByteCount.text(Int(report.bytes)))"
    if report.downloads > 0 { text += "; \(report.downloads) of them unfinished downloads" }
    if report.inUse > 0 { text += "; \(report.inUse) passed over, in use" }
    Output.result(text)
  }
}

/// What `cache prune --json` prints.
private struct PruneJSON: Encodable {
  let expired: Int
  let evicted: Int
  let bytes: Int64
  let inUse: Int
  let downloads: Int

  init(_ report: PruneReport) {
    expired = report.expired
    evicted = report.evicted
    bytes = report.bytes
    inUse = report.inUse
    downloads = report.downloads
  }
}
