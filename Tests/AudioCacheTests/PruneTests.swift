import Digests
import Glibc
import Platform
import Testing

@testable import AudioCache

/// What goes when a cache is full, and what stays.
@Suite(.timeLimit(.minutes(10))) struct PruneTests {
  private let fixture: CacheFixture
  private var cache: TrackCache { fixture.cache }

  init() throws {
    fixture = try CacheFixture()
    for text in ["a", "bb", "ccc", "dddd"] { try fixture.put(text, cost: 10) }
  }

  private func left() throws -> Set<String> {
    Set(try ["a", "bb", "ccc", "dddd", "eeeee"].filter { try fixture.has($0) })
  }

  @Test(arguments: [
    (CacheLimits(entries: 2, freeBytes: 0), ["ccc", "dddd"]),
    (CacheLimits(bytes: 8, freeBytes: 0), ["ccc", "dddd"]),
    (CacheLimits(bytes: 4, freeBytes: 0), ["dddd"]),
    (CacheLimits(cost: 35, freeBytes: 0), ["bb", "ccc", "dddd"]),
    (CacheLimits(entries: 0, freeBytes: 0), []),
    (CacheLimits(entries: 4, bytes: 10, cost: 40, freeBytes: 0), ["a", "bb", "ccc", "dddd"]),
  ])
  func `the least recently used go until a limit is kept`(
    limits: CacheLimits, kept: [String]
  ) throws {
    let report = try cache.prune(to: limits)
    #expect(report.evicted == 4 - kept.count)
    #expect(try left() == Set(kept))
    #expect(try cache.statistics().entries == kept.count)
    #expect(try cache.verify().files.trackCount == kept.count)
  }

  @Test func `a hit makes an entry the last to go`() throws {
    fixture.clock.advance(by: .seconds(120))
    #expect(try fixture.has("a"))
    try cache.prune(to: CacheLimits(entries: 2, freeBytes: 0))
    #expect(try left() == ["a", "dddd"])
  }

  @Test func `a hit within a minute is not written, and one a minute later is`() throws {
    let other = fixture.another()
    let before = try #require(try other.track(for: url("a"))).usedAt
    try other.flush()
    #expect(try #require(try cache.track(for: url("a"))).usedAt == before)
    fixture.clock.advance(by: .seconds(61))
    _ = try other.track(for: url("a"))
    try other.flush()
    #expect(try #require(try cache.track(for: url("a"))).usedAt > before)
  }

  @Test func `a cache keeps to its limits by itself`() throws {
    cache.limits = CacheLimits(entries: 3, freeBytes: 0)
    try fixture.put("eeeee")
    #expect(try left() == ["ccc", "dddd", "eeeee"])
  }

  @Test func `what the limits can never hold goes alone, and nothing for its sake`() throws {
    let limited = fixture.another(limits: CacheLimits(bytes: 10, freeBytes: 0))
    let large = try fixture.put(String(repeating: "d", count: 11))
    let lease = try #require(try fixture.cache.lease(large))
    let report = try limited.prune()
    #expect(report.removed == 0 && report.inUse == 1)
    try lease.release()
    try limited.keepToLimits()
    #expect(try left() == ["a", "bb", "ccc", "dddd"])
    try fixture.put(String(repeating: "e", count: 11), into: limited)
    #expect(try left() == ["a", "bb", "ccc", "dddd"])
  }

  @Test func `what is over its time goes first, whatever the limits`() throws {
    try fixture.put("eeeee", expiry: .after(.seconds(10)))
    fixture.clock.advance(by: .seconds(11))
    let report = try cache.prune()
    #expect(report.expired == 1)
    #expect(report.evicted == 0)
    #expect(report.bytes == 5)
    #expect(try left() == ["a", "bb", "ccc", "dddd"])
  }

  @Test func `a leased entry stays, whatever the limits and its time`() throws {
    let track = try fixture.put("eeeee", expiry: .after(.seconds(10)))
    let lease = try #require(try cache.lease(track))
    fixture.clock.advance(by: .seconds(100))
    let report = try fixture.another().prune(to: CacheLimits(entries: 0, freeBytes: 0))
    #expect(report.removed == 4)
    #expect(report.inUse == 1)
    #expect(try content(of: track.file.path) == "eeeee")
    #expect(throws: AudioStoreError.inUse(track.digest)) { try cache.remove(track.digest) }
    try lease.release()
    #expect(try cache.prune().expired == 1)
  }

  @Test func `what is over its time and leased is not looked for with each insert`() throws {
    let track = try fixture.put("eeeee", expiry: .after(.seconds(5)))
    let lease = try #require(try cache.lease(track))
    fixture.clock.advance(by: .seconds(10))
    try fixture.put("f")
    // Pruning sweeps: what a process that has ended left is there as long as nobody prunes.
    let left =
      "\(fixture.root)/incoming/\(try StoreUser.current.host)@"
      + "11111111-2222-3333-4444-555555555555:1:2:3#1"
    try AtomicFile.write("half", to: left)
    for number in 0..<10 { try fixture.put("g\(number)") }
    #expect((try? FileStatus(left)) != nil)
    fixture.clock.advance(by: .seconds(60))
    try lease.release()
    try fixture.put("h")
    #expect((try? FileStatus(left)) == nil)
    #expect(try cache.track(track.digest) == nil)
  }

  @Test func `a lease ends with its value`() throws {
    let track = try #require(try cache.track(for: url("a")))
    _ = try cache.lease(track)
    #expect(try cache.statistics().leased == 0)
  }

  @Test func `the lease of a process that was killed does not hold`() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [root = fixture.root as String] in
      let cache = TrackCache(root: root)
      let lease = try cache.track(for: url("a")).flatMap { try cache.lease($0) }
      try withExtendedLifetime(lease) {
        guard try cache.statistics().leased == 1 else { return }
        raise(SIGKILL)
      }
    }
    #expect(try Files.list(fixture.root + "/leases").count == 1)
    #expect(try cache.prune(to: CacheLimits(entries: 0, freeBytes: 0)).evicted == 4)
    #expect(try Files.list(fixture.root + "/leases").isEmpty)
  }

  @Test func `of a full disk, files that outputs share are left and others go`() throws {
    let outputs = fixture.files.directory + "/out"
    // The outputs of all but two are removed, which frees what is removed of these.
    for name in try Files.list(outputs) {
      let text = try content(of: "\(outputs)/\(name)")
      if ["bb", "dddd"].contains(text) { try Files.removeFile("\(outputs)/\(name)") }
    }
    let free = try Files.freeSpace(fixture.root)
    let report = try cache.prune(to: CacheLimits(freeBytes: Int64(free) + 1_000_000_000_000))
    #expect(report.evicted == 2)
    #expect(try left() == ["a", "ccc"])
  }

  @Test func `pruning many entries leaves as many as there may be`() throws {
    for number in 0..<1200 { try fixture.plant("number \(number)") }
    #expect(try cache.verify().adopted == 1200)
    let report = try cache.prune(to: CacheLimits(entries: 100, freeBytes: 0))
    #expect(report.evicted == 1104)
    #expect(try cache.statistics().entries == 100)
    #expect(try cache.verify().files.trackCount == 100)
  }
}
