import AudioCache
import Foundation
import Glibc
import Platform
import TestSupport
import Testing

/// The commands of the cache, as a user types them.
@Suite(.timeLimit(.minutes(10))) struct CacheCommandTests {
  private static let url = "https://example.org/a.mp3"
  private static let digest = "30dedb574c47de34d9de8c4d151bc2cd1056ebc18ab7b09ad4947da3573e1d46"

  /// A cache of its own, and the file `a.mp3`.
  private func withCache(_ body: (KeymillProcess) throws -> Void) throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try keymill.copy(Checkout.sample("track.mp3"), to: "a.mp3")
    try body(keymill)
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  @Test func `what is put in is found by its path, its URL and its digest`() throws {
    try withCache { keymill in
      #expect(try keymill.run("cache", "put", "a.mp3").output == Self.digest + "\n")
      #expect(try keymill.run("cache", "put", "a.mp3", "--url", Self.url).exitCode == 0)
      for name in ["a.mp3", Self.url, Self.digest, "30dedb57"] {
        let found = try keymill.run("cache", "get", name)
        #expect(found.exitCode == 0, "\(name): \(found.errors)")
        let path = found.output.trimmingCharacters(in: .newlines)
        #expect(path.hasSuffix("/30/\(Self.digest).mp3"))
        #expect(try bytes(path) == bytes(keymill.path("a.mp3")))
      }
      let listed = try keymill.run("cache", "list").output
      #expect(listed.contains("30dedb574c47") && listed.contains(Self.url))
      let json = try keymill.run("cache", "list", "--json").json()
      #expect((json["origins"] as? [[String: Any]])?.count == 2)
      #expect(json["size"] as? Int == 210_744)
    }
  }

  @Test func `a track is linked to a file, or written to standard output`() throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3")
      #expect(try keymill.run("cache", "get", "a.mp3", "-o", "b.mp3").exitCode == 0)
      #expect(try bytes(keymill.path("b.mp3")) == bytes(keymill.path("a.mp3")))
      let written = try keymill.start(["cache", "get", "a.mp3", "-o", "-"])
      written.process.waitUntilExit()
      #expect(try Data(contentsOf: written.output) == bytes(keymill.path("a.mp3")))
    }
  }

  /// A URL that the command may not fetch itself, whatever network there is.
  private static let refusedURL = "http://127.0.0.1/a.mp3"

  /// Lets the command follow a download of ours, of which half has come when it starts.
  private func follow(
    _ url: String = Self.url, in keymill: KeymillProcess,
    _ end: (TrackCache, DownloadClaim) throws -> Void
  ) throws -> (result: KeymillProcess.Result, written: Data) {
    let cache = TrackCache(root: keymill.path("cache/keymill/audio"))
    guard case .mine(let claim) = try cache.claim(.url(url), includingPrivate: false) else {
      throw AudioStoreError.claimLost(.url(url))
    }
    let content = [UInt8](try bytes(keymill.path("a.mp3")))
    let file = try FileDescriptor.open(claim.partialPath, .append)
    try file.writeAll(Array(content.prefix(content.count / 2)))
    try #require(unsafe mkfifo(keymill.path("b.mp3"), 0o600) == 0)
    let command = try keymill.start(["cache", "get", url, "--follow", "-o", "b.mp3"])
    let output = try FileDescriptor.open(keymill.path("b.mp3"), .read)
    var written = Data()
    while written.count < content.count / 2, case .bytes(let some) = try output.read() {
      written += some
    }
    try file.writeAll(Array(content.suffix(content.count - content.count / 2)))
    try file.close()
    try end(cache, claim)
    written += try output.readToEnd()
    return (try command.wait(), written)
  }

  @Test func `a track is read while it is downloaded, until it is whole`() throws {
    try withCache { keymill in
      let (result, written) = try follow(in: keymill) { cache, claim in
        _ = try cache.finish(claim, fileExtension: "mp3")
      }
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try written == bytes(keymill.path("a.mp3")))
    }
  }

  @Test func `whoever reads along goes on where a download fails, and tells why it cannot`() throws
  {
    try withCache { keymill in
      let (result, written) = try follow(Self.refusedURL, in: keymill) { cache, claim in
        try cache.fail(claim, reason: "the server said 503")
      }
      #expect(result.exitCode == 65)
      #expect(result.reason.hasPrefix("keymill: \(Self.refusedURL): "))
      #expect(result.reason.contains("--allow-private"))
      #expect(try bytes(keymill.path("a.mp3")).starts(with: written))
    }
  }

  @Test func `a file that is there stays until the track is whole, and for good where it never is`()
    throws
  {
    try withCache { keymill in
      let cache = TrackCache(root: keymill.path("cache/keymill/audio"))
      let content = [UInt8](try bytes(keymill.path("a.mp3")))
      for isWhole in [false, true] {
        try AtomicFile.write("mine", to: keymill.path("b.mp3"))
        guard
          case .mine(let claim) = try cache.claim(.url(Self.refusedURL), includingPrivate: false)
        else {
          throw AudioStoreError.claimLost(.url(Self.refusedURL))
        }
        let file = try FileDescriptor.open(claim.partialPath, .write)
        try file.writeAll(Array(content.prefix(1000)))
        let command = try keymill.start([
          "cache", "get", Self.refusedURL, "--follow", "-o", "b.mp3",
        ])
        // It can be read along beside the file; nothing tells another process that it has grown.
        while (try? FileStatus(keymill.path("b.mp3.part")))?.size != 1000 { usleep(1000) }
        #expect(try Files.read(keymill.path("b.mp3")) == Array("mine".utf8))
        try file.writeAll(Array(content.dropFirst(1000)))
        try file.close()
        if isWhole {
          _ = try cache.finish(claim, fileExtension: "mp3")
        } else {
          try cache.fail(claim, reason: "the server said 503")
        }
        let result = try command.wait()
        #expect(result.exitCode == (isWhole ? 0 : 65))
        let left = try Files.read(keymill.path("b.mp3"))
        #expect(left == (isWhole ? content : Array("mine".utf8)))
        #expect((try? FileStatus(keymill.path("b.mp3.part"))) == nil)
      }
    }
  }

  @Test(arguments: ["list", "get", "put", "remove", "prune", "verify", "stats"])
  func `a file in the place of the cache is an error that says what to do`(name: String) throws {
    try withCache { keymill in
      try AtomicFile.write("", to: keymill.path("file"))
      let track = ["get", "put", "remove"].contains(name) ? ["a.mp3"] : []
      for place in ["file", "file/cache"] {
        let result = try keymill.run(
          ["cache", name] + track, environment: ["KEYMILL_CACHE": keymill.path(place)])
        #expect(result.exitCode == 74, "\(place): \(result.output)")
        #expect(result.output == "")
        #expect(result.reason.contains("something else is where the cache's directory should be"))
      }
    }
  }

  @Test func `what prune and verify did is printed as a result`() throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3")
      let shard = keymill.path("cache/keymill/audio/30/")
      try Files.copy(shard + Self.digest + ".mp3", to: shard + Self.digest + ".mpga")
      let verified = try keymill.run("cache", "verify")
      #expect(verified.output.contains(".mpga: removed, a second file of the same content\n"))
      #expect(verified.output.contains("1 tracks, ") && verified.errors == "")
      let pruned = try keymill.run("cache", "prune", "--max-entries", "0")
      #expect(pruned.output.hasPrefix("1 removed, ") && pruned.errors == "")
    }
  }

  @Test(arguments: ["file:///x/a.mp3", "ftp://example.org/a.mp3", "http:///a.mp3"])
  func `a URL that leads nowhere is refused wherever it is named`(url: String) throws {
    try withCache { keymill in
      for command in [["cache", "get"], ["cache", "get", "--follow"], ["probe"]] {
        let result = try keymill.run(command + [url])
        #expect(result.exitCode == 65, "\(command): \(result.errors)")
      }
    }
  }

  @Test(arguments: [">&-", "<&- >&-", "<&- >&- 2>&-"])
  func `closed streams get no file, and results that nobody gets are an error`(streams: String)
    throws
  {
    try withCache { keymill in
      let path = KeymillProcess.executable.path(percentEncoded: false)
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.currentDirectoryURL = keymill.directory
      shell.arguments = ["-c", "exec '\(path)' cache put a.mp3 --cache store \(streams)"]
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 74)
      let cache = TrackCache(root: keymill.path("store"))
      #expect(try cache.verify().isClean)
      #expect(try cache.statistics().origins == 1)
    }
  }

  @Test func `what is not there is an error of its own`() throws {
    try withCache { keymill in
      for arguments in [["get", "a.mp3"], ["get", "a.mp3", "--follow"], ["remove", "a.mp3"]] {
        let result = try keymill.run(["cache"] + arguments)
        #expect(result.exitCode == 66)
        #expect(result.output == "")
        #expect(result.reason.contains("in the cache"))
      }
      #expect(try keymill.run("cache", "put", "none.mp3").exitCode == 66)
      #expect(!keymill.names(in: "cache").contains("keymill"))
    }
  }

  @Test func `what has expired is not there`() throws {
    try withCache { keymill in
      #expect(try keymill.run("cache", "put", "a.mp3", "--expires", "2020-01-01").exitCode == 64)
      let past = CacheClock(wallMS: { 1_500_000_000_000 }, bootMS: { 0 })
      let cache = TrackCache(root: keymill.path("cache/keymill/audio"), clock: past)
      let path = keymill.realPath("a.mp3")
      try cache.insert(
        copyOf: path, fileExtension: "mp3", origin: .file(path),
        validators: Validators(FileStatus(path)), expiry: .after(.seconds(60)))
      #expect(try keymill.run("cache", "get", "a.mp3").exitCode == 66)
      let report = try keymill.run("cache", "prune", "--json").json()
      #expect(report["expired"] as? Int == 1)
    }
  }

  @Test func `pruning keeps to what is asked for and to what the environment says`() throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3", Checkout.sample("sprite-magenta.mp4"))
      let report = try keymill.run("cache", "prune", "--max-entries", "1", "--json").json()
      #expect(report["evicted"] as? Int == 1)
      #expect(try keymill.run("cache", "stats", "--json").json()["entries"] as? Int == 1)
      let limited = try keymill.run(
        "cache", "prune", environment: ["KEYMILL_CACHE_SIZE": "1k"])
      #expect(limited.output.contains("1 removed"))
      let wrong = try keymill.run("cache", "stats", environment: ["KEYMILL_CACHE_SIZE": "big"])
      #expect(wrong.exitCode == 64)
      #expect(wrong.errors.contains("$KEYMILL_CACHE_SIZE: 'big' is not a size"))
    }
  }

  @Test func `bit rot is found, removed and told by the exit code`() throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3")
      #expect(try keymill.run("cache", "verify").exitCode == 0)
      let path = try keymill.run("cache", "get", "a.mp3").output
        .trimmingCharacters(in: .newlines)
      var rotten = try bytes(path)
      rotten[1000] ^= 1
      try FileManager.default.removeItem(atPath: path)
      try rotten.write(to: URL(filePath: path))
      let looked = try keymill.run("cache", "verify", "--dry-run")
      #expect(looked.exitCode == 65 && looked.output.contains("`keymill cache verify` removes it"))
      let found = try keymill.run("cache", "verify", "--json")
      #expect(found.exitCode == 65)
      let faults = try #require(found.json()["faults"] as? [[String: Any]])
      #expect(faults.count == 1 && (faults[0]["fault"] as? String)?.hasSuffix("; removed") == true)
      let stray = URL(filePath: path).deletingLastPathComponent().appending(path: "notes.txt")
      try Data().write(to: stray)
      #expect(try keymill.run("cache", "verify").output.contains("move it away or delete it"))
      try FileManager.default.removeItem(at: stray)
      #expect(try keymill.run("cache", "verify").exitCode == 0)
      #expect(try keymill.run("cache", "get", "a.mp3").exitCode == 66)
    }
  }

  @Test func `a removed track is gone, and outputs keep theirs`() throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3")
      _ = try keymill.run("cache", "get", "a.mp3", "-o", "b.mp3")
      #expect(try keymill.run("cache", "remove", "30dedb57").output == Self.digest + "\n")
      #expect(try keymill.run("cache", "get", "a.mp3").exitCode == 66)
      #expect(try bytes(keymill.path("b.mp3")) == bytes(keymill.path("a.mp3")))
    }
  }

  @Test func `the tracks that jobs make are in the cache`() throws {
    try withCache { keymill in
      try keymill.copy(Checkout.recipe("audio"), to: "r.json")
      #expect(try keymill.run("run", "r.json", "a.mp3").exitCode == 0)
      #expect(try keymill.run("cache", "stats", "--json").json()["entries"] as? Int == 1)
      #expect(try keymill.run("cache", "get", "30dedb57").exitCode == 0)
      // Also by the file that it is the copy of, as a whole or out of a clip.
      let found = try keymill.run("cache", "get", "a.mp3")
      #expect(found.output.contains(Self.digest))
      try keymill.copy(Checkout.sample("sprite-magenta.mp4"), to: "clip.mp4")
      #expect(try keymill.run("run", "r.json", "clip.mp4").exitCode == 0)
      #expect(try keymill.run("cache", "get", "clip.mp4", "-o", "c.m4a").exitCode == 0)
      #expect(try bytes(keymill.path("c.m4a")) == bytes(keymill.path("out/clip/audio/clip.m4a")))
      #expect(try keymill.run("cache", "list").output.contains("copy track=1"))
    }
  }

  @Test func `a pool's copy is found by the clip that it came from`() throws {
    try withCache { keymill in
      try keymill.copy(Checkout.recipe("audio"), to: "r.json")
      try keymill.copy(Checkout.sample("sprite-magenta.mp4"), to: "clip.mp4")
      #expect(try keymill.run("submit", "r.json", "clip.mp4").exitCode == 0)
      #expect(try keymill.run("work", "--drain").exitCode == 0)
      let found = try keymill.run("cache", "get", "clip.mp4")
      #expect(found.exitCode == 0 && found.output.hasSuffix(".m4a\n"), "\(found.errors)")
    }
  }

  @Test(arguments: ["list", "get", "put", "remove", "prune", "verify", "stats"])
  func `every command has help with an example`(name: String) throws {
    try withCache { keymill in
      let result = try keymill.run("cache", name, "--help")
      #expect(result.exitCode == 0)
      #expect(result.output.contains("EXAMPLES:\n  keymill cache \(name)"))
      #expect(result.output.contains("--json"))
      #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }
}
