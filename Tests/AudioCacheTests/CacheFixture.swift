import AudioCache
import Digests
import Platform
import Synchronization

/// A time that a test moves by hand, as the wall clock and as the clock of leases.
final class ManualClock: Sendable {
  private let nowMS = Atomic<Int64>(1_700_000_000_000)

  /// Moves time on.
  func advance(by duration: Duration) {
    nowMS.wrappingAdd(Int64(duration / .milliseconds(1)), ordering: .sequentiallyConsistent)
  }

  /// The clock for a cache.
  var cacheClock: CacheClock {
    let now: @Sendable () -> Int64 = { self.nowMS.load(ordering: .sequentiallyConsistent) }
    return CacheClock(wallMS: now, bootMS: now)
  }
}

/// A cache in a directory of the test's own, removed at its end.
final class CacheFixture {
  let files: StoreFixture
  let clock = ManualClock()
  let cache: TrackCache

  var root: String { files.store.root }

  init() throws {
    files = try StoreFixture()
    cache = TrackCache(root: files.store.root, limits: .none, clock: clock.cacheClock)
  }

  /// Another cache on the same directory, as another process has it.
  func another(indexPath: String? = nil, limits: CacheLimits = .none) -> TrackCache {
    TrackCache(root: root, limits: limits, indexPath: indexPath, clock: clock.cacheClock)
  }

  /// Puts a text into the cache under a URL of its own, a second after the one before.
  @discardableResult
  func put(
    _ text: String, cost: Int64? = nil, expiry: Expiry = .never, into other: TrackCache? = nil
  ) throws -> CachedTrack {
    clock.advance(by: .seconds(1))
    return try (other ?? cache).insert(
      fileAt: files.output("\(UInt64.random(in: .min ... .max))", text), fileExtension: "mp3",
      origin: url(text), cost: cost, expiry: expiry
    ).track
  }

  /// Puts a text into the store as one who does not tell the index, and returns the path.
  @discardableResult
  func plant(_ text: String) throws -> String {
    let digest = digest(of: text)
    let shard = "\(root)/\(digest.hex.prefix(2))"
    try Files.makeDirectory(shard)
    let path = "\(shard)/\(digest.hex).mp3"
    try FileDescriptor.open(path, .create).writeAll(text)
    return path
  }

  /// Whether the cache has a text under its URL.
  func has(_ text: String, in other: TrackCache? = nil) throws -> Bool {
    try (other ?? cache).track(for: url(text)) != nil
  }
}

extension CacheLimits {
  /// Nothing is limited, not even by the disk of the machine that runs the tests.
  static let none = CacheLimits(freeBytes: 0)
}

/// A URL for a text.
func url(_ text: String) -> Origin { .url("https://example.org/\(text).mp3") }
