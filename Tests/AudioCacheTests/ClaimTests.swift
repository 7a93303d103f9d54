@testable import AudioCache
import Digests
import Glibc
import Platform
import Testing

/// Who downloads what many want.
@Suite(.timeLimit(.minutes(10))) struct ClaimTests {
  private let fixture: CacheFixture
  private var cache: TrackCache { fixture.cache }

  init() throws { fixture = try CacheFixture() }

  /// Asks for the text's origin and expects to have to download it.
  private func claim(
    _ text: String = "music", in other: TrackCache? = nil, maxAge: Duration? = nil
  ) throws -> DownloadClaim {
    let result = try (other ?? cache).claim(url(text), maxAge: maxAge)
    guard case .mine(let claim) = result else {
      Issue.record("\(result) is no claim of ours")
      throw AudioStoreError.claimLost(url(text))
    }
    return claim
  }

  private func write(_ text: String, to claim: DownloadClaim) throws {
    try FileDescriptor.open(claim.partialPath, .append).writeAll(text)
  }

  /// Claims in a process that receives a part and is then killed, or at least ends.
  private func claimInProcess(thatEndsBy end: Int32) async {
    await #expect(processExitsWith: .signal(end)) {
      [root = fixture.root as String, end = end as Int32] in
      let cache = TrackCache(root: root)
      guard case .mine(let claim) = try cache.claim(url("music")) else { return }
      try FileDescriptor.open(claim.partialPath, .append).writeAll("mus")
      try cache.renew(claim, expectedSize: 5, validators: Validators(etag: "\"1\""))
      raise(end)
    }
  }

  @Test func `the first to ask downloads, and the others learn how far it is`() throws {
    let claim = try claim()
    #expect(claim.resumeOffset == 0)
    #expect(claim.previous == nil)
    try write("mus", to: claim)
    try cache.renew(claim, expectedSize: 5)
    guard case .other(let download) = try fixture.another().claim(url("music")) else {
      Issue.record("two have the claim")
      return
    }
    #expect(download.state == .running)
    #expect(download.received == 3)
    #expect(download.expected == 5)
    #expect(download.partialPath == claim.partialPath)
    #expect(try cache.statistics().downloads == 1)
  }

  @Test func `a finished download is there for everyone, and leaves nothing behind`() throws {
    let claim = try claim()
    try write("music", to: claim)
    let track = try cache.finish(
      claim, fileExtension: "mp3", validators: Validators(etag: "\"1\""))
    #expect(try content(of: track.file.path) == "music")
    #expect(try fixture.another().claim(url("music")) == .present(track))
    #expect(try cache.download(of: url("music")) == nil)
    #expect(try Files.list(fixture.root + "/partial").isEmpty)
    #expect(try cache.origins(of: track).first?.validators.etag == "\"1\"")
  }

  @Test func `a download that someone still writes to is not finished`() throws {
    let claim = try claim()
    let writer = try FileDescriptor.open(claim.partialPath, .append)
    try writer.writeAll("music")
    #expect(throws: AudioStoreError.stillWritten(path: claim.partialPath)) {
      try cache.finish(claim, fileExtension: "mp3")
    }
    try writer.close()
    #expect(try cache.finish(claim, fileExtension: "mp3").digest == digest(of: "music"))
  }

  @Test func `after a failure the next goes on from what is there`() throws {
    let first = try claim()
    try write("mus", to: first)
    try cache.renew(first, expectedSize: 5, validators: Validators(etag: "\"1\""))
    try cache.fail(first, reason: "the connection was cut")
    #expect(
      try cache.download(of: url("music"))?.state == .failed(reason: "the connection was cut"))
    let second = try claim()
    #expect(second.resumeOffset == 3)
    #expect(second.resumeValidators.etag == "\"1\"")
    try write("ic", to: second)
    #expect(try cache.finish(second, fileExtension: "mp3").digest == digest(of: "music"))
  }

  @Test func `what is not worth keeping is not gone on from`() throws {
    let first = try claim()
    try write("mus", to: first)
    try cache.fail(first, reason: "the wrong type", isResumable: false)
    #expect(try claim().resumeOffset == 0)
    #expect(try Files.list(fixture.root + "/partial").isEmpty)
  }

  @Test func `a claim that is not renewed passes on, and its owner is told`() throws {
    let first = try claim()
    try write("mus", to: first)
    fixture.clock.advance(by: .seconds(29))
    try cache.renew(first)
    fixture.clock.advance(by: .seconds(29))
    guard case .other = try fixture.another().claim(url("music")) else {
      Issue.record("a renewed claim has passed on")
      return
    }
    fixture.clock.advance(by: .seconds(2))
    #expect(try cache.download(of: url("music"))?.state == .abandoned)
    let other = fixture.another()
    let second = try claim(in: other)
    // The first may still be writing, so that nothing of its file is used.
    #expect(second.resumeOffset == 0)
    #expect(second.partialPath != first.partialPath)
    #expect(throws: AudioStoreError.claimLost(url("music"))) { try cache.renew(first) }
    #expect(throws: AudioStoreError.claimLost(url("music"))) {
      try cache.finish(first, fileExtension: "mp3")
    }
    #expect(throws: AudioStoreError.claimLost(url("music"))) {
      try cache.fail(first, reason: "late")
    }
    try write("music", to: second)
    #expect(try other.finish(second, fileExtension: "mp3").digest == digest(of: "music"))
  }

  @Test func `the claim of a process that was killed passes on at once, with what it received`()
    async throws
  {
    await claimInProcess(thatEndsBy: SIGKILL)
    let cache = TrackCache(root: fixture.root)
    #expect(try cache.download(of: url("music"))?.state == .abandoned)
    let claim = try claim(in: cache)
    #expect(claim.resumeOffset == 3)
    #expect(claim.resumeValidators.etag == "\"1\"")
  }

  @Test func `what a killed process received is not gone on from while anyone writes to it`()
    async throws
  {
    await claimInProcess(thatEndsBy: SIGKILL)
    let cache = TrackCache(root: fixture.root)
    let download = try #require(try cache.download(of: url("music")))
    let writer = try FileDescriptor.open(download.partialPath, .append)
    #expect(try claim(in: cache).resumeOffset == 0)
    try writer.close()
  }

  @Test func `an origin that must be looked at again is claimed with what is known of it`() throws {
    let first = try claim()
    try write("music", to: first)
    let track = try cache.finish(
      first, fileExtension: "mp3", validators: Validators(etag: "\"1\""))
    fixture.clock.advance(by: .seconds(1))
    #expect(try cache.claim(url("music"), maxAge: .seconds(5)) == .present(track))
    let second = try claim(maxAge: .zero)
    #expect(second.previous?.track == track)
    #expect(second.previous?.validators.etag == "\"1\"")
    #expect(try cache.confirm(second)?.digest == track.digest)
    #expect(try cache.claim(url("music"), maxAge: .zero) != .mine(second))
    #expect(try cache.track(for: url("music"), maxAge: .zero) != nil)
  }

  @Test func `what was confirmed but removed meanwhile must be downloaded`() throws {
    try fixture.put("music")
    fixture.clock.advance(by: .seconds(1))
    let claim = try claim(maxAge: .zero)
    try cache.remove(digest(of: "music"))
    #expect(try cache.confirm(claim) == nil)
    try write("music", to: claim)
    #expect(try cache.finish(claim, fileExtension: "mp3").digest == digest(of: "music"))
  }

  @Test func `what nobody goes on with is swept after a day`() throws {
    let claim = try claim()
    try write("mus", to: claim)
    try cache.fail(claim, reason: "gone")
    fixture.clock.advance(by: .seconds(80_000))
    #expect(try cache.sweep() == 0)
    fixture.clock.advance(by: .seconds(10_000))
    #expect(try cache.sweep() == 1)
    #expect(try cache.download(of: url("music")) == nil)
  }

  @Test func `of many processes that want one track, one downloads it and all have it`()
    async throws
  {
    let root = fixture.root
    await withTaskGroup { group in
      for number in 0..<6 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [root = root as String, number = number as Int] in
            let bytes = try fetchOrFollow(url("music"), root: root, number: number)
            guard bytes == Array("music music music".utf8) else { exit(1) }
          }
        }
      }
    }
    let downloads = try Files.list(fixture.files.directory).filter { $0.hasPrefix("download-") }
    #expect(downloads.count == 1)
  }
}

/// Downloads a track with a fake downloader, slowly, or reads along with the process that does.
private func fetchOrFollow(_ origin: Origin, root: String, number: Int) throws -> [UInt8] {
  let cache = TrackCache(root: root, limits: .none)
  if case .mine(let claim) = try cache.claim(origin) {
    try AtomicFile.write("", to: "\(Files.parent(of: root))/download-\(number)")
    for part in ["music ", "music ", "music"] {
      try FileDescriptor.open(claim.partialPath, .append).writeAll(part)
      try cache.renew(claim, expectedSize: 17)
      // The while itself: the others are to read along as the file grows.
      usleep(20_000)
    }
    return try Files.read(cache.finish(claim, fileExtension: "mp3").file.path)
  }
  var bytes: [UInt8] = []
  let follower = TrackFollower(origin, in: cache)
  return try read(follower, into: &bytes)
}

private func read(
  _ follower: consuming TrackFollower, into bytes: inout [UInt8]
) throws -> [UInt8] {
  while true {
    switch try follower.next() {
    case .bytes(let some): bytes += some
    // Nothing tells another process that a file has grown.
    case .waiting: usleep(1000)
    case .end: return bytes
    }
  }
}
