@testable import AudioCache
import Digests
import Platform
import SQLite
import Testing

/// Two machines on one directory: each has an index of its own.
@Suite struct SharedDirectoryTests {
  private let fixture: CacheFixture
  private let here: TrackCache
  private let there: TrackCache

  init() throws {
    fixture = try CacheFixture()
    let indexes = fixture.files.directory + "/indexes"
    try Files.makeDirectory(indexes)
    here = fixture.another(indexPath: indexes + "/here.db")
    there = fixture.another(indexPath: indexes + "/there.db")
  }

  @Test func `what one stores the other finds by its content`() throws {
    let track = try fixture.put("music", into: here)
    #expect(try there.track(track.digest)?.file == track.file)
    #expect(try !fixture.has("music", in: there))
  }

  @Test func `what one removes is a miss for the other`() throws {
    try fixture.put("music", into: here)
    try fixture.put("music", into: there)
    #expect(try here.remove(digest(of: "music")))
    #expect(try !fixture.has("music", in: there))
    #expect(try there.statistics().entries == 0)
  }

  @Test func `what one leases the other does not prune`() throws {
    let track = try fixture.put("music", into: here)
    let lease = try here.lease(track)
    #expect(try there.track(track.digest) != nil)
    #expect(try there.prune(to: CacheLimits(entries: 0, freeBytes: 0)).inUse == 1)
    #expect(try fixture.has("music", in: here))
    try lease?.release()
  }

  @Test func `both download one origin without meeting in a file`() throws {
    guard case .mine(let mine) = try here.claim(url("music")),
      case .mine(let theirs) = try there.claim(url("music"))
    else {
      Issue.record("a claim reaches beyond its machine")
      return
    }
    #expect(mine.partialPath != theirs.partialPath)
    for claim in [mine, theirs] {
      try FileDescriptor.open(claim.partialPath, .append).writeAll("music")
    }
    #expect(try here.sweep() == 0 && there.sweep() == 0)
    let track = try here.finish(mine, fileExtension: "mp3")
    #expect(try there.finish(theirs, fileExtension: "mp3").file == track.file)
    #expect(try here.verify().isClean && there.verify().isClean)
  }

  @Test func `files on their way in from another machine are left alone`() throws {
    let boot = "11111111-2222-3333-4444-555555555555"
    let incoming = fixture.root + "/incoming"
    try Files.makeDirectory(incoming)
    for host in ["elsewhere", try StoreUser.current.host] {
      try AtomicFile.write("half", to: "\(incoming)/\(host)@\(boot):1:2:3#1")
    }
    // This machine's own boot of that name is over.
    #expect(try fixture.files.store.sweep() == 1)
    #expect(try Files.list(incoming) == ["elsewhere@\(boot):1:2:3#1"])
  }

  @Test func `what a killed process was about to put in a download's place is removed`() throws {
    try fixture.put("music")
    let partials = fixture.root + "/partial"
    try Files.makeDirectory(partials)
    let boot = "11111111-2222-3333-4444-555555555555"
    let host = try StoreUser.current.host
    for user in ["\(host)@\(boot):1:2:3", "elsewhere@\(boot):1:2:3", "\(try StoreUser.current)"] {
      try AtomicFile.write("half", to: "\(partials)/.keymill-\(user)#1")
    }
    #expect(try fixture.cache.sweep() == 1)
    #expect(try Files.list(partials).count == 2)
  }

  @Test func `the index is beside the store, or else the machine's own`() throws {
    try Files.makeDirectory(fixture.root)
    #expect(try IndexPlace.path(forStore: fixture.root) == fixture.root + "/index.db")
    let cacheHome = fixture.files.directory + "/home"
    let own = try IndexPlace.ownPath(
      forStore: fixture.root, environment: ["XDG_CACHE_HOME": cacheHome])
    #expect(own.hasPrefix(cacheHome + "/keymill/index/") && own.hasSuffix(".db"))
    #expect(try FileStatus(Files.parent(of: own)).permissions == 0o700)
    let other = try IndexPlace.ownPath(
      forStore: fixture.root + "2", environment: ["XDG_CACHE_HOME": cacheHome])
    #expect(other != own)
  }

  @Test func `of a store that may only be read, what its own index knows is found`() throws {
    // The index that it has beside it is that of the one who may write.
    let track = try fixture.put("music")
    try fixture.cache.flush()
    let reader = fixture.another(indexPath: fixture.files.directory + "/own.db")
    #expect(try reader.track(for: url("music"))?.file == track.file)
    #expect(try reader.origins(of: track).map(\.origin) == [url("music")])
    #expect(try FileStatus(fixture.files.directory + "/own.db").permissions == 0o600)
    try Files.removeFile(track.file.path)
    #expect(try reader.track(for: url("music")) == nil)
  }

  @Test func `an index without a log beside it is read where nothing can be written`() throws {
    let track = try fixture.put("music")
    try fixture.cache.flush()
    let copy = fixture.files.directory + "/a b%3F?.db"
    let index = try Connection(
      path: fixture.root + "/index.db", mode: .readWrite, busyTimeout: .seconds(1))
    try index.checkpoint()
    try Files.copy(fixture.root + "/index.db", to: copy)
    let immutable = try Connection(path: copy, mode: .immutable, busyTimeout: .zero)
    #expect(try immutable.integer("SELECT count(*) FROM origin") == 1)
    #expect((try? FileStatus(copy + "-shm")) == nil && track.file.size == 5)
  }

  @Test func `indexes that nobody has used for a quarter of a year are removed`() throws {
    try Files.makeDirectory(fixture.root)
    let own = try IndexPlace.ownPath(
      forStore: fixture.root,
      environment: ["XDG_CACHE_HOME": fixture.files.directory + "/home"])
    let old = Files.parent(of: own) + "/0123.db"
    for name in ["", "-wal", "-shm"] { try AtomicFile.write("", to: old + name) }
    let now = try FileStatus(old).modifiedNanoseconds / 1_000_000
    let cache = TrackCache(root: fixture.root, limits: .none, indexPath: own)
    try cache.sweep()
    #expect(try Files.list(Files.parent(of: old)).contains("0123.db"))
    let later = now + 91 * 86_400_000
    let clock = CacheClock(wallMS: { later }, bootMS: { later })
    try TrackCache(root: fixture.root, limits: .none, indexPath: own, clock: clock).sweep()
    let left = try Files.list(Files.parent(of: old))
    #expect(left.contains(Files.name(of: own)) && !left.contains { $0.hasPrefix("0123") })
  }
}
