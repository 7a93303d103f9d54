import AudioCache
import Digests
import Platform
import Testing

/// Downloads whose worth is not known yet, and those that not everybody may see.
@Suite struct TrialTests {
  private let fixture: CacheFixture
  private var cache: TrackCache { fixture.cache }

  init() throws { fixture = try CacheFixture() }

  /// Downloads a text under its URL.
  @discardableResult
  private func download(
    _ text: String, isOnTrial: Bool = true, isPrivate: Bool = false
  ) throws -> CachedTrack {
    guard case .mine(let claim) = try cache.claim(url(text), maxAge: .zero) else {
      throw AudioStoreError.claimLost(url(text))
    }
    try FileDescriptor.open(claim.partialPath, .append).writeAll(text)
    return try cache.finish(
      claim, fileExtension: "mp3", isOnTrial: isOnTrial, isPrivate: isPrivate)
  }

  @Test func `what nothing is made of goes after an hour, at the next thing put in`() throws {
    let path = try download("words").file.path
    fixture.clock.advance(by: .seconds(3500))
    #expect(try fixture.has("words"))
    fixture.clock.advance(by: .seconds(101))
    #expect(try !fixture.has("words"))
    try fixture.put("music")
    #expect(throws: PlatformError.self) { try FileStatus(path) }
  }

  @Test func `what something is made of stays, whoever else could make nothing of it`() throws {
    let track = try download("music")
    #expect(track.isOnTrial)
    try fixture.another().accept(track)
    try cache.accept(track)
    fixture.clock.advance(by: .seconds(100_000))
    #expect(try fixture.has("music"))
    let known = try #require(try cache.track(for: url("music")))
    #expect(!known.isOnTrial && known.expiresAt == nil)
    // Downloaded again it is not on trial again.
    #expect(try !download("music").isOnTrial)
  }

  @Test func `what somebody puts in by hand keeps its own time`() throws {
    try download("music")
    try fixture.put("music", expiry: .after(.seconds(86_400)))
    let track = try #require(try cache.track(for: url("music")))
    #expect(!track.isOnTrial)
    try cache.accept(track)
    fixture.clock.advance(by: .seconds(86_000))
    #expect(try fixture.has("music"))
    fixture.clock.advance(by: .seconds(1000))
    #expect(try !fixture.has("music"))
  }

  @Test func `a lease outlives the trial`() throws {
    let track = try download("music")
    let lease = try #require(try cache.lease(track))
    fixture.clock.advance(by: .seconds(4000))
    try cache.prune()
    #expect(try FileStatus(track.file.path).kind == .file)
    try lease.release()
    try cache.prune()
    #expect(throws: PlatformError.self) { try FileStatus(track.file.path) }
  }

  @Test func `the server's word that nothing changed leaves the time as it was`() throws {
    try fixture.put("music", expiry: .after(.seconds(1000)))
    fixture.clock.advance(by: .seconds(1))
    guard case .mine(let claim) = try cache.claim(url("music"), maxAge: .zero) else {
      throw AudioStoreError.claimLost(url("music"))
    }
    let before = try #require(claim.previous?.track.expiresAt)
    #expect(try cache.confirm(claim)?.expiresAt == before)
  }

  @Test func `what came from a private host is there only for those who may ask there`() throws {
    let track = try download("secret", isPrivate: true)
    #expect(try cache.track(for: url("secret")) == track)
    #expect(try cache.track(for: url("secret"), includingPrivate: false) == nil)
    let other = fixture.another()
    guard case .mine(let claim) = try other.claim(url("secret"), includingPrivate: false) else {
      throw AudioStoreError.claimLost(url("secret"))
    }
    // Nor may it be asked about.
    #expect(claim.previous == nil)
    #expect(try cache.download(of: url("secret"))?.allowsPrivate == false)
    // Fetched from a public host it is there for all.
    try FileDescriptor.open(claim.partialPath, .append).writeAll("secret")
    _ = try other.finish(claim, fileExtension: "mp3")
    #expect(try cache.track(for: url("secret"), includingPrivate: false) != nil)
  }

  @Test func `a download that is larger than all the cache may have serves whoever leased it`()
    throws
  {
    cache.limits = CacheLimits(bytes: 3, freeBytes: 0)
    let track = try download("music")
    let lease = try cache.lease(track)
    try cache.keepToLimits()
    #expect(try Files.read(track.file.path) == Array("music".utf8))
    try lease?.release()
    try cache.keepToLimits()
    #expect(throws: PlatformError.self) { try FileStatus(track.file.path) }
  }
}
