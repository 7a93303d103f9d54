import AudioCache
import Digests
import Foundation
import Platform
import Testing

/// What goes into a cache and comes out of it.
@Suite struct TrackCacheTests {
  private let fixture: CacheFixture
  private var cache: TrackCache { fixture.cache }

  init() throws { fixture = try CacheFixture() }

  @Test func `a track is found by its origin and by its digest`() throws {
    let track = try fixture.put("music")
    #expect(try cache.track(for: url("music")) == track)
    #expect(try cache.track(digest(of: "music")) == track)
    #expect(try cache.track(for: url("silence")) == nil)
    #expect(try cache.track(digest(of: "silence")) == nil)
    #expect(try content(of: track.file.path) == "music")
  }

  @Test func `another process finds it, and so does one after all have ended`() throws {
    let track = try fixture.put("music")
    #expect(try fixture.another().track(for: url("music")) == track)
    do {
      let other = fixture.another()
      try fixture.put("more", into: other)
    }
    #expect(try fixture.has("more"))
  }

  @Test func `looking into a cache that was never used makes no directory`() throws {
    #expect(try cache.track(for: url("music")) == nil)
    #expect(try cache.statistics().entries == 0)
    #expect(try cache.prune().removed == 0)
    #expect(try cache.remove(digest(of: "music")) == false)
    #expect(try cache.verify().isClean)
    try cache.forEach { _ in Issue.record("nothing is in it") }
    #expect((try? FileStatus(fixture.root)) == nil)
  }

  @Test func `two origins of one content share its file`() throws {
    let path = try fixture.files.output("a", "music")
    let first = try cache.insert(fileAt: path, fileExtension: "mp3", origin: url("a"))
    let second = try cache.insert(fileAt: path, fileExtension: "mp3", origin: url("b"))
    #expect(first.isNew && !second.isNew)
    #expect(try cache.statistics().entries == 1)
    #expect(Set(try cache.origins(of: second.track).map(\.origin)) == [url("a"), url("b")])
  }

  @Test func `a file that has changed since is not found by its path`() throws {
    let path = try fixture.files.output("a.mp3", "music")
    let seen = Validators(try FileStatus(path))
    try cache.insert(
      copyOf: path, fileExtension: "mp3", origin: .file(path), validators: seen)
    #expect(try cache.track(for: .file(path), validators: seen) != nil)
    try AtomicFile.write("louder", to: path)
    let now = Validators(try FileStatus(path))
    #expect(try cache.track(for: .file(path), validators: now) == nil)
  }

  @Test func `a download with another etag is not found`() throws {
    let path = try fixture.files.output("a", "music")
    try cache.insert(
      fileAt: path, fileExtension: "mp3", origin: url("a"),
      validators: Validators(etag: "\"1\"", lastModified: "Mon"))
    #expect(try cache.track(for: url("a"), validators: Validators(etag: "\"1\"")) != nil)
    #expect(try cache.track(for: url("a"), validators: Validators(etag: "\"2\"")) == nil)
  }

  @Test func `what is made of a track is found by its content and the settings`() throws {
    let source = try fixture.put("music")
    let flac = Origin.derived(from: source.digest, settings: "flac rate=48000")
    let made = try cache.insert(
      fileAt: fixture.files.output("b", "MUSIC"), fileExtension: "flac", origin: flac
    ).track
    #expect(try cache.track(for: flac) == made)
    #expect(
      try cache.track(for: .derived(from: source.digest, settings: "flac rate=44100")) == nil)
    #expect(try cache.track(for: .derived(from: made.digest, settings: "flac rate=48000")) == nil)
  }

  @Test func `an origin that has changed leads to its new content`() throws {
    for text in ["old", "new"] {
      try cache.insert(
        fileAt: fixture.files.output(text, text), fileExtension: "mp3", origin: url("a"))
    }
    #expect(try cache.track(for: url("a"))?.digest == digest(of: "new"))
    #expect(try cache.track(digest(of: "old")) != nil)
  }

  @Test(arguments: [
    (Expiry.never, true), (.after(.seconds(59)), false), (.after(.seconds(61)), true),
    (.date(Date(timeIntervalSince1970: 1_700_000_060)), false),
    (.date(Date(timeIntervalSince1970: 1_700_000_062)), true),
  ])
  func `an entry is there until its time is over`(expiry: Expiry, isThere: Bool) throws {
    try fixture.put("music", expiry: expiry)
    #expect(try fixture.has("music"))
    fixture.clock.advance(by: .seconds(60))
    #expect(try fixture.has("music") == isThere)
    #expect((try fixture.another().track(digest(of: "music")) != nil) == isThere)
  }

  @Test func `of two times of one content the longer counts`() throws {
    try fixture.put("music", expiry: .after(.seconds(100)))
    let again = try fixture.put("music", expiry: .after(.seconds(10)))
    #expect(again.expiresAt == Date(timeIntervalSince1970: 1_700_000_101))
    #expect(try fixture.put("music", expiry: .never).expiresAt == nil)
  }

  @Test func `an entry that was looked at too long ago is not up to date`() throws {
    try fixture.put("music")
    fixture.clock.advance(by: .seconds(30))
    #expect(try cache.track(for: url("music"), maxAge: .seconds(40)) != nil)
    #expect(try cache.track(for: url("music"), maxAge: .seconds(20)) == nil)
  }

  @Test func `a track is linked to a place of its own, in the place of what is there`() throws {
    let track = try fixture.put("music")
    let path = try fixture.files.output("mine.mp3", "older")
    let kind = try cache.link(track, to: path)
    #expect(kind == .hardLink || kind == .reflink)
    #expect(try content(of: path) == "music")
    #expect(try !Files.list(Files.parent(of: path)).contains { $0.hasPrefix(".keymill") })
  }

  @Test func `a file that was removed by hand is a miss, and can come again`() throws {
    let track = try fixture.put("music")
    try Files.removeFile(track.file.path)
    #expect(try cache.link(track, to: fixture.files.directory + "/out/x") == nil)
    #expect(try !fixture.has("music"))
    #expect(try cache.statistics().entries == 0)
    try fixture.put("music")
    #expect(try fixture.has("music"))
  }

  @Test func `a file that has lost its end is a miss, and is removed`() throws {
    let track = try fixture.put("music")
    try damage(track.file.path, with: "mus")
    #expect(try !fixture.has("music"))
    #expect((try? FileStatus(track.file.path)) == nil)
  }

  @Test func `a copy leaves the file as it is`() throws {
    let path = try fixture.files.output("a.mp3", "music")
    let track = try cache.insert(copyOf: path, fileExtension: "mp3").track
    #expect(try !FileStatus(path).isSameFile(as: FileStatus(track.file.path)))
    #expect(try FileStatus(path).linkCount == 1)
    #expect(try FileStatus(path).permissions & 0o200 != 0)
    #expect(try fixture.files.incoming.isEmpty)
  }

  @Test func `statistics count what is there and how it is used`() throws {
    try fixture.put("music", cost: 7)
    try fixture.put("noise!")
    _ = try fixture.has("music")
    _ = try fixture.has("silence")
    let lease = try cache.lease(try #require(try cache.track(digest(of: "noise!"))))
    let statistics = try cache.statistics()
    #expect(statistics.entries == 2)
    #expect(statistics.bytes == 11)
    #expect(statistics.cost == 13)
    #expect(statistics.origins == 2)
    #expect(statistics.leased == 1)
    #expect(statistics.hits == 2)
    #expect(statistics.misses == 1)
    try lease?.release()
  }

  @Test func `a track that is removed is gone for everyone`() throws {
    let other = fixture.another()
    try fixture.put("music")
    #expect(try fixture.has("music", in: other))
    #expect(try cache.remove(digest(of: "music")))
    #expect(try !fixture.has("music"))
    #expect(try !fixture.has("music", in: other))
    #expect(try cache.remove(digest(of: "music")) == false)
  }
}
