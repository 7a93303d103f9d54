@testable import AudioCache
import Digests
import Platform
import SQLite
import Synchronization
import Testing

/// What `verify` finds, mends and makes again.
@Suite struct RepairTests {
  private let fixture: CacheFixture
  private var cache: TrackCache { fixture.cache }
  private var indexPath: String { fixture.root + "/index.db" }

  init() throws { fixture = try CacheFixture() }

  /// Takes the index away, as a loss of the disk's cache may.
  private func removeIndex() throws {
    for ending in ["", "-wal", "-shm"] { try Files.removeFile(indexPath + ending) }
  }

  @Test func `a whole cache is clean`() throws {
    for text in ["a", "b", "c"] { try fixture.put(text) }
    let result = try cache.verify()
    #expect(result.isClean)
    #expect(result.files.trackCount == 3)
    #expect(result.adopted == 0 && result.forgotten == 0 && result.swept == 0)
    #expect(!result.isIndexNew)
  }

  @Test func `bit rot is found and removed, and is a miss from then on`() throws {
    let track = try fixture.put("music")
    try fixture.put("sound")
    try damage(track.file.path, with: "mus1c")
    let result = try cache.verify()
    #expect(
      result.files.faults == [
        Verification.Fault(
          path: track.file.path, kind: .wrongContent(actual: digest(of: "mus1c")))
      ])
    #expect(try !fixture.has("music"))
    #expect(try fixture.has("sound"))
    #expect(try cache.verify().isClean)
  }

  @Test func `costs beyond all measure are bounded, and so is their sum`() throws {
    for text in ["a", "b", "c"] { try fixture.put(text, cost: .max) }
    #expect(try cache.statistics().cost == 3 * CacheLimits.largestCost)
    #expect(try cache.verify().isClean)
    #expect(try cache.prune(to: CacheLimits(cost: 0, freeBytes: 0)).evicted == 3)
    #expect(try cache.statistics().cost == 0)
  }

  @Test func `an index with a cost that let nothing else be noted is mended`() throws {
    do {
      let older = fixture.another()
      try fixture.put("a", into: older)
    }
    do {
      // As version 2 noted it.
      let connection = try Connection(path: indexPath, mode: .create, busyTimeout: .zero)
      try connection.execute(
        """
        DROP TRIGGER content_changed;
        UPDATE content SET cost = 9223372036854775807;
        UPDATE summary SET cost = 9223372036854775807;
        PRAGMA user_version = 2;
        """)
    }
    try fixture.put("b")
    #expect(try cache.statistics().cost == CacheLimits.largestCost + 1)
    #expect(try cache.verify().isClean)
    #expect(try fixture.has("a"))
  }

  @Test func `without an index every content is found, and origins are misses`() throws {
    let track = try fixture.put("music")
    try removeIndex()
    let other = fixture.another()
    #expect(try !fixture.has("music", in: other))
    #expect(try other.track(track.digest)?.file == track.file)
    try fixture.put("music", into: other)
    #expect(try fixture.has("music", in: other))
  }

  @Test func `a lost index is made again before anything is counted or pruned`() throws {
    for text in ["a", "b", "c"] { try fixture.put(text) }
    try removeIndex()
    #expect(try fixture.another().statistics().entries == 3)
    #expect(try fixture.another().prune(to: CacheLimits(entries: 1, freeBytes: 0)).evicted == 2)
  }

  @Test func `one who has the old index open goes on with the new one`() throws {
    try fixture.put("music")
    try removeIndex()
    try fixture.put("sound", into: fixture.another())
    #expect(try !fixture.has("music"))
    #expect(try fixture.has("sound"))
  }

  @Test func `a damaged index is put aside and made again from the files`() throws {
    try fixture.put("music")
    try removeIndex()
    try AtomicFile.write(String(repeating: "no database ", count: 1000), to: indexPath)
    let other = fixture.another()
    let notices = Mutex<[String]>([])
    other.notice = { text in notices.withLock { $0.append(text) } }
    #expect(try other.track(for: url("music")) == nil)
    #expect(try other.statistics().entries == 1)
    #expect(try other.track(digest(of: "music")) != nil)
    #expect(notices.withLock { $0.map { $0.contains("index.db.damaged") } } == [true])
    #expect(try Files.read(indexPath + ".damaged").starts(with: "no database".utf8))
    try fixture.put("sound", into: fixture.another())
    #expect(try fixture.has("sound", in: other))
  }

  @Test func `verify says that the index was damaged`() throws {
    try fixture.put("music")
    try removeIndex()
    try AtomicFile.write(String(repeating: "no database ", count: 1000), to: indexPath)
    let result = try fixture.another().verify()
    #expect(result.isIndexNew && result.isClean)
    #expect(result.adopted == 1)
  }

  @Test func `files that the index does not know become entries`() throws {
    try fixture.put("music")
    try fixture.plant("sound")
    #expect(try cache.verify().adopted == 1)
    #expect(try cache.statistics().entries == 2)
    #expect(try cache.statistics().bytes == 10)
  }

  @Test func `entries without a file are forgotten`() throws {
    for text in ["a", "b"] { try fixture.put(text) }
    try Files.removeFile(try #require(try cache.track(for: url("a"))).file.path)
    let gone = try #require(try cache.track(for: url("b"))).file.path
    try Files.removeTree(Files.parent(of: gone))
    #expect(try cache.verify().forgotten == 2)
    #expect(try cache.statistics().entries == 0)
  }

  @Test func `a content of the same number takes the place of the other and of its origins`() throws
  {
    let index = try CacheIndex(
      path: fixture.files.directory + "/index.db", patience: .seconds(1))
    let digests = try [UInt8(1), 2].map { last in
      try #require(SHA256Digest(bytes: [UInt8](repeating: 7, count: 31) + [last]))
    }
    for digest in digests {
      let file = StoredTrack(digest: digest, fileExtension: "mp3", path: "", size: 5)
      try index.put(file, cost: 5, nowMS: 0, expiresAtMS: nil)
      if digest == digests[0] {
        try index.put(url("a"), Validators(), content: digest, nowMS: 0)
      }
    }
    #expect(try index.content(digests[0]) == nil)
    #expect(try index.content(digests[1])?.size == 5)
    #expect(try index.origin(url("a")) == nil)
    #expect(try index.summary().bytes == 5)
  }

  @Test func `one content under two extensions becomes one file`() throws {
    let track = try fixture.put("music")
    let twin = track.file.path.dropLast(3) + "mpga"
    #expect(try Files.linkOrClone(track.file.path, to: String(twin)) != .copy)
    let result = try cache.verify()
    #expect(result.isClean && result.twins == [String(twin)])
    #expect((try? FileStatus(String(twin))) == nil)
    #expect(try fixture.has("music"))
  }
}
