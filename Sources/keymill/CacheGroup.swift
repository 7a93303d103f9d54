import AudioCache
import Commands
import Platform

/// `keymill cache`: what is kept of tracks.
struct CacheGroup: CommandGroup {
  static let name = "cache"
  static let summary = "Look into the audio cache and keep it in order"
  static let discussion = """
    Each content is kept once, under its SHA-256, and found by what it was made of. Any number of \
    processes may use a cache at once. Limits are set by $KEYMILL_CACHE_SIZE (such as 200G), \
    $KEYMILL_CACHE_ENTRIES, $KEYMILL_CACHE_COST and $KEYMILL_CACHE_FREE (what is to stay free on the \
    disk, 1G by default).
    """
  static let sections = [
    CommandSection([
      CacheListCommand.self, CacheGetCommand.self, CachePutCommand.self, CacheRemoveCommand.self,
      CachePruneCommand.self, CacheVerifyCommand.self, CacheStatsCommand.self,
    ])
  ]
}

/// Which cache a command works on.
struct CacheOptions: ParsableArguments {
  @Option(
    help: "The cache's directory; $KEYMILL_CACHE, or else one in the user's cache directory.",
    valueName: "dir")
  var cache: String?

  /// The cache, kept to the limits that the environment sets.
  func open() throws -> TrackCache {
    let environment = Environment.current
    if cache == "" { throw UsageError("--cache needs the name of a directory") }
    let opened = TrackCache(
      root: try Files.absolutePath(
        cache ?? AudioStore.defaultRoot(environment: environment)),
      limits: try CacheLimits(environment: environment))
    opened.notice = { Output.message("keymill: \($0)") }
    return opened
  }
}

extension CacheLimits {
  /// The limits that `$KEYMILL_CACHE_SIZE`, `_ENTRIES`, `_COST` and `_FREE` set; an empty one sets none.
  init(environment: [String: String]) throws {
    self.init()
    bytes = try Self.value("KEYMILL_CACHE_SIZE", in: environment, as: ByteSize.self)?.bytes
    cost = try Self.value("KEYMILL_CACHE_COST", in: environment, as: Int64.self)
    entries = try Self.value("KEYMILL_CACHE_ENTRIES", in: environment, as: Int.self)
    if let bytes, bytes < 1 { throw UsageError("$KEYMILL_CACHE_SIZE must be 1 at least") }
    if let cost, cost < 1 { throw UsageError("$KEYMILL_CACHE_COST must be 1 at least") }
    if let entries, entries < 1 { throw UsageError("$KEYMILL_CACHE_ENTRIES must be 1 at least") }
    if let free = try Self.value("KEYMILL_CACHE_FREE", in: environment, as: ByteSize.self) {
      freeBytes = free.bytes
    }
  }

  private static func value<Value: ExpressibleByArgument>(
    _ name: String, in environment: [String: String], as type: Value.Type
  ) throws -> Value? {
    guard let text = environment[name], !text.isEmpty else { return nil }
    guard let value = Value(argument: text) else {
      throw UsageError("$\(name): '\(text)' is not \(Value.expectation)")
    }
    return value
  }
}
