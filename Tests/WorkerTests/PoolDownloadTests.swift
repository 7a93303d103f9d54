import AudioCache
import FoundationEssentials
import Glibc
import JobQueue
import Platform
import TestServer
import TestSupport
import Testing

@testable import Worker

/// The real pool and the real fetch process, one of which is killed in the middle of a download.
@Suite(.temporaryDirectory, .serialized, .timeLimit(.minutes(2))) struct PoolDownloadTests {
  private static let sample =
    Files.parent(of: Files.parent(of: Files.parent(of: #filePath))) + "/samples/track.mp3"
  private let half = 100_000
  private let whole: [UInt8]
  private let server: BadServer
  private let partials = path("keymill/audio/partial")

  init() throws {
    whole = try Files.read(Self.sample)
    server = try BadServer(serving: whole, haltingFirstAt: half)
    try Files.makeDirectory(partials)
  }

  /// A pool that has half of the input of job 1, and has noted what it is half of.
  private func poolInTheMiddle() throws -> RealPool {
    let events = FileDescriptor(owning: inotify_init1(Int32(IN_CLOEXEC)))
    for written in [partials, Files.parent(of: partials)] {
      try #require(unsafe inotify_add_watch(events.rawValue, written, UInt32(IN_MODIFY)) >= 0)
    }
    let pool = try RealPool("--processes", "1", "--allow-private")
    let recipe = JobRecipe(
      name: "audio", digest: "d", canonicalJSON: #"{"audio":{"formats":["copy"]}}"#)
    _ = try pool.queue.submit(
      [NewJob(input: server.url(), output: path("out/track"), recipe: recipe)], now: Date())
    try Doorbell(besideQueue: pool.queue.path).ring()
    while try !isHalfKnown { _ = try events.read() }
    return pool
  }

  /// Whether the first half is there, and in the index what the server said of the whole.
  ///
  /// Bytes come before the note: of a pool killed in between, the next one begins anew.
  private var isHalfKnown: Bool {
    get throws {
      let cache = TrackCache(root: Files.parent(of: partials))
      let download = try cache.download(of: .url(server.url()))
      return download?.received == Int64(half) && download?.expected == Int64(whole.count)
    }
  }

  private func expectOneWholeOutput() throws {
    #expect(try Files.read(path("out/track/audio/track.mp3")) == whole)
    #expect(try names(in: "out") == ["track"])
    #expect(server.asked.map(\.offset) == [0, half])
    #expect(try Files.list(partials) == [])
  }

  @Test func `a killed fetch process is followed by one that goes on`() throws {
    let pool = try poolInTheMiddle()
    defer { pool.end() }
    try #require(kill(try pool.child("keymill-fetch"), SIGKILL) == 0)
    try pool.waitForLog("the fetch process ended with SIGKILL; tries again")
    try pool.waitForLog("job 1 track.mp3: completed")
    try expectOneWholeOutput()
  }

  @Test func `a killed pool takes its fetch process along, and the next pool goes on`() throws {
    let first = try poolInTheMiddle()
    let fetch = try ChildProcess(adopting: try first.child("keymill-fetch"))
    first.end()
    try waitForEnd(of: fetch)
    let second = try RealPool("--processes", "1", "--allow-private")
    defer { second.end() }
    try second.waitForLog("job 1 track.mp3: completed")
    try expectOneWholeOutput()
  }
}
