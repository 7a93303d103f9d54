import AudioCache
import Fetch
import FoundationEssentials
import JobQueue
import Platform
import TestServer
import TestSupport
import Testing

@testable import Worker

/// Jobs whose inputs are URLs: scripts as job processes, real fetch processes, and a server of ours.
@Suite(.temporaryDirectory, .serialized, .timeLimit(.minutes(5))) struct DownloadTests {
  private static let content = Array("The quick brown fox jumps over the lazy dog.".utf8)
  /// Sends all of it.
  private static let whole: [Step] = [
    .head("200 OK", "Content-Length: \(content.count)", #"ETag: "1""#), .send(content),
  ]
  /// Sends the half and then nothing more.
  private static let half: [Step] = [
    .head("200 OK", "Content-Length: \(content.count)", #"ETag: "1""#),
    .send(Array(content.prefix(20))), .wait,
  ]
  /// A job process that keeps what it was given.
  private static let script = #"""
    stage; cp "$(printf %s "$request" | sed -n 's/.*"input":"\([^"]*\)".*/\1/p')" "$staging/made"
    source=$(field source)
    printf '{"input":{"path":"%s"}}' "${source:-$input}" >"$staging/manifest.json"
    made
    """#

  private var cache: TrackCache { TrackCache(root: path("cache")) }

  private func pool(
    _ script: String = Self.script, _ configure: (inout SupervisorOptions) -> Void = { _ in }
  ) throws -> ScriptedPool {
    try ScriptedPool(script) { options in
      var downloads = DownloadOptions(into: cache)
      downloads.allowsPrivate = true
      downloads.limits.attempts = 1
      downloads.pause = .milliseconds(10)
      if let program = try? Files.parent(of: Executable.path) + "/keymill" {
        downloads.command = [program, FetchProcess.commandName]
      }
      options.downloads = downloads
      configure(&options)
    }
  }

  private func submit(_ url: String, as name: String = "fox", to pool: ScriptedPool) throws {
    try pool.submit(name) { $0.input = url }
  }

  @Test func `a URL is downloaded before the job starts, and is there the next time`() throws {
    let server = try BadServer { _ in Self.whole }
    let first = try pool()
    try submit(server.url("/a%20fox.mp3"), to: first)
    #expect(try first.run().completed == 1)
    #expect(try Files.read(path("out/fox/made")) == Self.content)
    #expect(try text("out/fox/manifest.json").contains(server.url("/a%20fox.mp3")))
    try submit(server.url("/a%20fox.mp3"), as: "again", to: first)
    let second = try pool()
    #expect(try second.run().completed == 1)
    #expect(try Files.read(path("out/again/made")) == Self.content)
    #expect(server.asked.count == 1)
    #expect(try names(in: "cache/leases") == [])
    #expect(try names(in: "cache/partial") == [])
  }

  @Test func `many jobs for one URL are one download`() throws {
    let server = try BadServer { _ in Self.whole }
    let pool = try pool { $0.processes = 8 }
    for number in 1...8 { try submit(server.url(), as: "fox\(number)", to: pool) }
    #expect(try pool.run().completed == 8)
    for number in 1...8 { #expect(try Files.read(path("out/fox\(number)/made")) == Self.content) }
    #expect(server.asked.count == 1)
  }

  @Test func `what the server does not have fails at once, for all who wait, without password`()
    throws
  {
    let server = try BadServer { _ in [.head("404 None", "Content-Length: 0")] }
    let pool = try pool { $0.processes = 2 }
    try submit(server.url("/a.mp3", user: "me:s3cret@"), to: pool)
    #expect(try pool.run().failed == 1)
    let job = try pool.job()
    #expect(job.error == "\(server.url("/a.mp3")): the server has no such file (404)")
    #expect(try pool.story() == ["submitted", "claimed", "failed"])
    #expect(!pool.log.joined().contains("s3cret"))
    let shown = String(decoding: try JSONEncoder().encode(JobJSON(job)), as: UTF8.self)
    #expect(!shown.contains("s3cret"))
    #expect(server.asked[0].fields["authorization"] != nil)
  }

  @Test func `a busy server is left alone as long as it asks for`() throws {
    let server = try BadServer { _ in [.head("503 Busy", "Retry-After: 5000", "Content-Length: 0")]
    }
    let pool = try pool { $0.drains = false }
    try submit(server.url(), to: pool)
    let start = Date()
    pool.supervisor?.loop.schedule(every: .milliseconds(20)) {
      if try pool.job().state == .scheduled { pool.supervisor?.stop() }
    }
    try pool.run()
    let due = try #require(try pool.job().scheduledAt)
    #expect((4990...5100).contains(due.timeIntervalSince(start)))
    #expect(try pool.job().failures == 1)
  }

  @Test func `this machine's own addresses are refused unless the pool allows them`() throws {
    let server = try BadServer { _ in Self.whole }
    let pool = try pool { $0.downloads?.allowsPrivate = false }
    try submit(server.url(), to: pool)
    #expect(try pool.run().failed == 1)
    #expect(try pool.job().error?.contains("--allow-private") == true)
    #expect(server.asked.isEmpty)
  }

  @Test func `a pool gives no job what another one fetched from an address that it refuses`()
    throws
  {
    let server = try BadServer { _ in Self.whole }
    let first = try pool()
    try submit(server.url(), to: first)
    #expect(try first.run().completed == 1)
    let second = try pool { $0.downloads?.allowsPrivate = false }
    try submit(server.url(), as: "again", to: second)
    #expect(try second.run().failed == 1)
    #expect(try second.job(2).error?.contains("--allow-private") == true)
    #expect(server.asked.count == 1)
  }

  @Test func `what no job could use is kept for an hour, what one could for ever`() throws {
    let server = try BadServer { _ in Self.whole }
    let first = try pool("fail permanent 'no media'")
    try submit(server.url(), to: first)
    #expect(try first.run().failed == 1)
    let rejected = try #require(try cache.track(for: .url(server.url())))
    #expect(rejected.isOnTrial && rejected.expiresAt != nil)
    let second = try pool()
    try submit(server.url(), as: "again", to: second)
    #expect(try second.run().completed == 1)
    let accepted = try #require(try cache.track(for: .url(server.url())))
    #expect(!accepted.isOnTrial && accepted.expiresAt == nil)
    #expect(server.asked.count == 1)
  }

  @Test func `a download larger than the whole cache is fetched once, and used`() throws {
    let server = try BadServer { _ in Self.whole }
    let pool = try pool { options in
      options.downloads = DownloadOptions(
        into: TrackCache(root: path("cache"), limits: CacheLimits(bytes: 1, freeBytes: 0)))
      options.downloads?.allowsPrivate = true
      if let program = try? Files.parent(of: Executable.path) + "/keymill" {
        options.downloads?.command = [program, FetchProcess.commandName]
      }
    }
    try submit(server.url(), to: pool)
    #expect(try pool.run().completed == 1)
    #expect(try Files.read(path("out/fox/made")) == Self.content)
    #expect(server.asked.count == 1)
  }

  /// Runs a pool on a job whose download stands still, and does something once half has come.
  private func runHalted(
    _ server: BadServer, _ configure: (inout SupervisorOptions) -> Void = { _ in },
    _ body: @escaping (ScriptedPool) throws -> Void
  ) throws -> ScriptedPool {
    let pool = try pool(Self.script, configure)
    try submit(server.url(), to: pool)
    var isDone = false
    pool.supervisor?.loop.schedule(every: .milliseconds(10)) {
      guard !isDone, let name = try? Files.list(path("cache/partial")).first,
        try FileStatus(path("cache/partial/\(name)")).size == 20
      else { return }
      isDone = true
      try body(pool)
    }
    try pool.run()
    return pool
  }

  @Test func `a job that is cancelled ends its download`() throws {
    let server = try BadServer { _ in Self.half }
    let pool = try runHalted(server) { _ = try $0.queue.cancel(1, now: Date()) }
    #expect(try pool.job().state == .cancelled)
    #expect(try pool.story() == ["submitted", "claimed", "cancel-requested", "cancelled"])
    #expect(try cache.download(of: .url(server.url()))?.state == .failed(reason: "called off"))
  }

  @Test func `a pool that stops gives the job back, and the next goes on from there`() throws {
    let server = try BadServer(serving: Self.content, haltingFirstAt: 20)
    let first = try runHalted(server) { pool in
      pool.supervisor?.stop()
      pool.supervisor?.stop()
    }
    #expect(try first.job().state == .available)
    #expect(try first.job().failures == 0)
    let second = try pool()
    #expect(try second.run().completed == 1)
    #expect(try Files.read(path("out/fox/made")) == Self.content)
    #expect(server.asked.map(\.offset) == [0, 20])
  }

  @Test func `a download counts against the time that an attempt may take`() throws {
    let server = try BadServer { _ in Self.half }
    let pool = try pool()
    try pool.submit { new in
      new.input = server.url()
      new.timeout = .milliseconds(300)
      new.maxAttempts = 1
    }
    #expect(try pool.run().failed == 1)
    #expect(try pool.job().error == "timed out after 0.3 s")
  }

  @Test func `a fetch process that dies costs an attempt, and nothing that came is lost`() throws {
    let pool = try pool { options in
      options.downloads?.command = ["/bin/sh", "-c", "kill -KILL $$"]
    }
    try pool.submit { new in
      new.input = "http://example.org/a.mp3"
      new.maxAttempts = 2
    }
    #expect(try pool.run().failed == 1)
    #expect(
      try pool.job().error
        == "http://example.org/a.mp3: the fetch process ended with SIGKILL")
    #expect(try pool.queue.attempts(of: 1).count == 2)
  }

  @Test func `a pool without a place for downloads says so`() throws {
    let pool = try pool { $0.downloads = nil }
    try pool.submit { new in
      new.input = "http://example.org/a.mp3"
      new.maxAttempts = 1
    }
    #expect(try pool.run().failed == 1)
    #expect(try pool.job().error?.hasSuffix("this pool downloads nothing") == true)
  }

  @Test func `how far a download is counts as progress, and a wait between tries is no standstill`()
    throws
  {
    let pool = try pool()
    try submit("http://example.org/a.mp3", to: pool)
    let owner = try OwnerIdentity.ofThisProcess()
    let job = try pool.queue.claim(limit: 1, owner: owner, leaseUntil: .max, now: Date())[0]
    let lease = try #require(job.lease)
    let running = try RunningJob(job, lease, staging: path("staging"), maxMemory: nil)
    running.pass(.seconds(5))
    running.take(.progress(received: 10, total: 40))
    #expect(running.standstill == .zero)
    #expect(running.news?.stage == "download")
    #expect(running.news?.fraction == 0.25)
    running.take(.pausing(.seconds(90)))
    running.pass(.seconds(100))
    #expect(running.standstill == .seconds(10))
    #expect(running.age == .seconds(105))
  }

  @Test func `what is wrong with the disk or the server decides what becomes of the job`() {
    let now = Date()
    func ending(_ error: any Error) -> Ending {
      .notFetched(error, spaceWait: .seconds(10), now: now)
    }
    let later = now + 10
    let full = PlatformError(code: .noSpace, call: "write", subject: "a")
    #expect(ending(FetchError(.noSpace, url: "", "full")) == .postponed("full", until: later))
    #expect(ending(full) == .postponed("\(full)", until: later))
    #expect(
      ending(AudioStoreError.system(full))
        == .postponed("\(AudioStoreError.system(full))", until: later))
    #expect(ending(FetchError(.tooLarge, url: "", "big")) == .failed("big", .permanent))
    #expect(ending(FetchError(.cut, url: "", "cut")) == .failed("cut", .transient))
    let busy = FetchError(.unavailable, url: "", "busy", retryAfter: 1e9)
    #expect(ending(busy) == .failed("busy", .deferred(until: now + 86_400)))
  }
}
