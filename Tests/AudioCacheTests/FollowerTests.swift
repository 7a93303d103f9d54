import AudioCache
import Digests
import Platform
import Testing

/// Reading a track while it is being downloaded.
@Suite struct FollowerTests {
  private let fixture: CacheFixture
  private let claim: DownloadClaim
  private var cache: TrackCache { fixture.cache }

  init() throws {
    fixture = try CacheFixture()
    guard case .mine(let claim) = try fixture.cache.claim(url("music")) else {
      throw AudioStoreError.claimLost(url("music"))
    }
    self.claim = claim
  }

  private func receive(_ text: String, by claim: DownloadClaim? = nil) throws {
    try FileDescriptor.open((claim ?? self.claim).partialPath, .append).writeAll(text)
  }

  /// What the next step brings, as text; a dot for waiting, a full stop for the end.
  private func step(_ follower: inout TrackFollower) throws -> String {
    switch try follower.next() {
    case .bytes(let some): String(decoding: some, as: UTF8.self)
    case .waiting: "…"
    case .end: "."
    }
  }

  @Test func `what has come is read, and the end is what the index says`() throws {
    var follower = TrackFollower(url("music"), in: fixture.another())
    #expect(try step(&follower) == "…")
    try receive("mu")
    #expect(try step(&follower) == "mu")
    #expect(try step(&follower) == "…")
    try receive("sic")
    let track = try cache.finish(claim, fileExtension: "mp3")
    #expect(try step(&follower) == "sic")
    #expect(try step(&follower) == ".")
    #expect(track.digest == digest(of: "music"))
  }

  @Test func `a failure is told after the reason is known`() throws {
    var follower = TrackFollower(url("music"), in: fixture.another())
    try receive("mu")
    #expect(try step(&follower) == "mu")
    try cache.fail(claim, reason: "404")
    #expect(throws: AudioStoreError.downloadFailed(url("music"), reason: "404")) {
      try follower.next()
    }
  }

  @Test func `a download that goes on after a break is read to its end`() throws {
    var follower = TrackFollower(url("music"), in: fixture.another())
    try receive("mu")
    #expect(try step(&follower) == "mu")
    try cache.fail(claim, reason: "the connection was cut")
    guard case .mine(let second) = try cache.claim(url("music")) else {
      Issue.record("the claim is not free")
      return
    }
    try receive("sic", by: second)
    #expect(try step(&follower) == "sic")
    _ = try cache.finish(second, fileExtension: "mp3")
    #expect(try step(&follower) == ".")
  }

  @Test(arguments: [false, true])
  func `bytes of two downloads are never put together`(isFinished: Bool) throws {
    var follower = TrackFollower(url("music"), in: fixture.another())
    try receive("music")
    #expect(try step(&follower) == "music")
    try cache.fail(claim, reason: "cut", isResumable: false)
    guard case .mine(let second) = try cache.claim(url("music")) else {
      Issue.record("the claim is not free")
      return
    }
    try receive("noise", by: second)
    if isFinished { _ = try cache.finish(second, fileExtension: "mp3") }
    #expect(throws: AudioStoreError.downloadRestarted(url("music"))) {
      while true { _ = try follower.next() }
    }
  }

  @Test func `a track that is there is read like any other`() throws {
    try receive("music")
    _ = try cache.finish(claim, fileExtension: "mp3")
    var follower = TrackFollower(url("music"), in: fixture.another())
    #expect(try step(&follower) == "music")
    #expect(try step(&follower) == ".")
  }

  @Test func `an empty track ends at once`() throws {
    try receive("")
    _ = try cache.finish(claim, fileExtension: "mp3")
    var follower = TrackFollower(url("music"), in: fixture.another())
    #expect(try step(&follower) == ".")
  }

  @Test func `what was never asked for cannot be followed`() throws {
    #expect(throws: AudioStoreError.self) {
      var follower = TrackFollower(url("silence"), in: cache)
      _ = try follower.next()
    }
  }
}
