import AudioCache
import Digests
import JobQueue
import Platform
import SQLite
import Testing

@testable import Worker

/// Tracks on their way into the cache while the pool goes on.
@Suite(.temporaryDirectory, .timeLimit(.minutes(2))) struct TrackKeeperTests {
  /// A job whose output has a track in it.
  private static let script = #"""
    stage
    digest=$(sha256sum "$staging/made" | cut -c1-64)
    tracks="[{\"path\":\"made\",\"sha256\":\"$digest\"}]"
    [ "$job" = 1 ] || tracks='[]'
    report made "{\"partial\":false,\"warnings\":[],\"files\":1,\"bytes\":1,\"tracks\":$tracks}"
    """#

  private var cache: TrackCache {
    TrackCache(root: path("cache"), limits: CacheLimits(freeBytes: 0), patience: .seconds(60))
  }

  @Test func `a cache that keeps a track waiting keeps no other job waiting`() throws {
    try cache.insert(copyOf: #filePath, fileExtension: "swift")
    let pool = try ScriptedPool(Self.script, cache: cache) { $0.processes = 2 }
    try pool.submit("slow")
    try pool.submit("quick")
    let index = try Connection(
      path: path("cache/index.db"), mode: .readWrite, busyTimeout: .seconds(10))
    try index.execute("BEGIN IMMEDIATE")
    var seen: [JobState] = []
    pool.supervisor?.loop.schedule(every: .milliseconds(10)) {
      guard seen.isEmpty, try pool.job(2).state == .completed else { return }
      seen = [try pool.job(1).state]
      try index.execute("ROLLBACK")
    }
    #expect(try pool.run().completed == 2)
    #expect(seen == [.running])
    #expect(try cache.track(SHA256Digest(of: Array("attempt 1\n".utf8))) != nil)
    #expect(try text("out/slow/made") == "attempt 1\n")
    // Neither is the pool kept from beginning, which sweeps the cache.
    #expect(pool.log.filter { $0.contains("cache") } == [])
  }

  @Test func `a pool that is to stop at once waits for no track, and gives the job back`() throws {
    try cache.insert(copyOf: #filePath, fileExtension: "swift")
    let pool = try ScriptedPool(Self.script, cache: cache)
    try pool.submit("slow")
    let index = try Connection(
      path: path("cache/index.db"), mode: .readWrite, busyTimeout: .seconds(10))
    try index.execute("BEGIN IMMEDIATE")
    pool.supervisor?.loop.schedule(every: .milliseconds(10)) {
      guard let supervisor = pool.supervisor, !supervisor.endings.isEmpty else { return }
      for _ in 0..<2 { supervisor.stop() }
    }
    #expect(try pool.run().completed == 0)
    #expect(try pool.job(1).state == .available)
    #expect((try? FileStatus(path("out/slow"))) == nil)
    try index.execute("ROLLBACK")
  }

  @Test func `without a cache there is an end all the same`() throws {
    let loop = try EventLoop()
    let keeper = TrackKeeper(loop, cache: nil)
    var troubles: [String?] = []
    try keeper.sweep {
      troubles.append($0)
      loop.stop()
    }
    #expect(troubles.isEmpty, "not before the call returns")
    try loop.run()
    #expect(troubles == [nil])
  }

  @Test func `what is no file any more is not waited for`() throws {
    let result = JobResult(
      partial: false, warnings: [], files: 1, bytes: 1,
      tracks: [JobResult.Track(path: "pipe.mp3", sha256: String(repeating: "0", count: 64))])
    try Files.makeDirectory(path("staged"))
    // Makes a FIFO, which nobody will write to.
    _ = try Doorbell(path: path("staged/pipe.mp3")).listen()
    let trouble = Publisher(cache: cache).keepTracks(
      of: result, from: nil, in: path("staged"))
    #expect(trouble?.contains("is no file any more") == true)
  }
}
