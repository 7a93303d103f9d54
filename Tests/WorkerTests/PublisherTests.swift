import AudioCache
import Digests
import Platform
import TestSupport
import Testing

@testable import Worker

@Suite(.temporaryDirectory) struct PublisherTests {
  private let publisher = Publisher(cache: nil)

  /// Publishes `staged` as `out/clip`.
  private func publish() throws {
    let replaced = try publisher.put(path("staged"), at: path("out/clip"))
    try publisher.settle(path("out/clip"), replaced: replaced)
  }

  @Test func `a staging directory lies hidden beside its output`() {
    let staging = Publisher.staging(for: "/out/clip", job: 17, attempt: 3, queue: "/q.db")
    #expect(staging.hasPrefix("/out/.keymill-17-3-"))
    #expect(
      staging != Publisher.staging(for: "/out/clip", job: 17, attempt: 3, queue: "/other.db"))
  }

  @Test func `an output is put where nothing is`() throws {
    try Files.makeDirectory(path("out"))
    try makeOutput("staged", of: "/in/clip.mp4", "new")
    try publish()
    #expect(try text("out/clip/made") == "new")
    #expect(try names(in: "") == ["out"])
  }

  @Test func `an older output of the same input is replaced and removed`() throws {
    try makeOutput("out/clip", of: "/in/clip.mp4", "old")
    try write("only in the old one", to: "out/clip/frames/1.png")
    try makeOutput("staged", of: "/in/clip.mp4", "new")
    try publish()
    #expect(try text("out/clip/made") == "new")
    #expect(try names(in: "out/clip") == ["made", "manifest.json"])
    #expect(try names(in: "") == ["out"])
  }

  @Test func `the output of another input is never replaced`() throws {
    try makeOutput("out/clip", of: "/other/clip.mp4", "theirs")
    try makeOutput("staged", of: "/in/clip.mp4")
    let error = #expect(throws: OutputError.self) { try publish() }
    #expect(error?.message.contains("the output of /other/clip.mp4") == true)
    #expect(try text("out/clip/made") == "theirs")
  }

  @Test func `a directory that keymill did not make is never replaced`() throws {
    try write("mine", to: "out/clip/photo.jpg")
    try makeOutput("staged", of: "/in/clip.mp4")
    #expect(throws: OutputError.self) { try publish() }
    #expect(try names(in: "out/clip") == ["photo.jpg"])
  }

  @Test func `an output without its manifest is not published`() throws {
    try Files.makeDirectory(path("out"))
    try write("half", to: "staged/made")
    #expect(throws: PlatformError.self) { try publish() }
    #expect(try names(in: "out") == [])
  }
}

@Suite(.temporaryDirectory) struct TrackKeepingTests {
  private let content = "a song"
  private var digest: SHA256Digest { SHA256Digest(of: Array(content.utf8)) }

  private func result(_ path: String, _ sha256: String) -> JobResult {
    JobResult(
      partial: false, warnings: [], files: 1, bytes: 6,
      tracks: [JobResult.Track(path: path, sha256: sha256)])
  }

  @Test func `copied tracks are kept in the cache under their digest`() throws {
    try write(content, to: "staged/audio/song.mp3")
    let cache = TrackCache(root: path("cache"))
    let trouble = Publisher(cache: cache).keepTracks(
      of: result("audio/song.mp3", digest.hex), from: nil, in: path("staged"))
    #expect(trouble == nil)
    let track = try #require(try cache.store.lookup(digest))
    #expect(track.fileExtension == "mp3")
    #expect(try text("staged/audio/song.mp3") == content)
  }

  @Test func `a copied track is found by what the supervisor knows it was copied out of`() throws {
    let cache = TrackCache(root: path("cache"), limits: CacheLimits(freeBytes: 0))
    let clip = SHA256Digest(of: Array("a clip".utf8))
    var made = result("song.mp3", digest.hex)
    made.tracks[0].number = 1
    // Without an input that is known, and of a file that is nothing but the track, nothing leads to it.
    for input in [nil, digest, clip] {
      try write(content, to: "staged/song.mp3")
      let publisher = Publisher(cache: cache)
      #expect(publisher.keepTracks(of: made, from: input, in: path("staged")) == nil)
      let track = try #require(try cache.track(digest))
      #expect(
        try cache.origins(of: track).map(\.origin)
          == (input == clip ? [.copy(ofTrack: 1, of: clip)] : []))
    }
  }

  @Test func `a digest that does not fit the file is not believed`() throws {
    try write(content, to: "staged/audio/song.mp3")
    let cache = TrackCache(root: path("cache"))
    let other = SHA256Digest(of: Array("another song".utf8))
    let trouble = Publisher(cache: cache).keepTracks(
      of: result("audio/song.mp3", other.hex), from: nil, in: path("staged"))
    #expect(trouble?.contains("song.mp3: has changed since it was read back") == true)
    #expect(try cache.store.tracks().isEmpty)
  }

  @Test func `a path that leads out of the output is refused`() throws {
    try write(content, to: "secret.mp3")
    try Files.makeDirectory(path("staged"))
    let cache = TrackCache(root: path("cache"))
    let trouble = Publisher(cache: cache).keepTracks(
      of: result("../secret.mp3", digest.hex), from: nil, in: path("staged"))
    #expect(trouble?.contains("leads out of the output") == true)
    #expect(try cache.store.tracks().isEmpty)
  }

  @Test func `a cache that cannot be written leaves the output whole`() throws {
    try write(content, to: "staged/audio/song.mp3")
    try write("in the way", to: "cache")
    let trouble = Publisher(cache: TrackCache(root: path("cache"))).keepTracks(
      of: result("audio/song.mp3", digest.hex), from: nil, in: path("staged"))
    #expect(trouble?.hasPrefix("the audio cache cannot keep song.mp3: ") == true)
    #expect(try text("staged/audio/song.mp3") == content)
  }

  @Test func `what dead processes left in the cache is swept`() throws {
    let host = String(Host.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    let dead = "\(host)@00000000-0000-0000-0000-000000000000:1:1:1#1"
    try write("half", to: "cache/incoming/\(dead)")
    #expect(Publisher(cache: TrackCache(root: path("cache"))).sweepCache() == nil)
    #expect(try names(in: "cache/incoming") == [])
  }
}
