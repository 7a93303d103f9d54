import AudioCache
import Foundation
import Platform
import TestSupport
import Testing

/// What the commands of the cache do where something is in the way: no place, no room, no reader.
@Suite(.timeLimit(.minutes(10))) struct CacheLimitTests {
  private static let url = "https://example.org/a.mp3"
  private static let digest = "30dedb574c47de34d9de8c4d151bc2cd1056ebc18ab7b09ad4947da3573e1d46"

  /// A cache of its own, and the file `a.mp3`.
  private func withCache(_ body: (KeymillProcess) throws -> Void) throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try keymill.copy(Checkout.sample("track.mp3"), to: "a.mp3")
    try body(keymill)
  }

  /// The path that the lease of a process has which has ended.
  private static func staleLease(in root: String) throws -> String {
    let cache = TrackCache(root: root)
    let lease = try cache.track(for: .url(url)).flatMap { try cache.lease($0) }
    let name = try #require(Files.list(root + "/leases").first)
    try lease?.release()
    return "\(root)/leases/" + name.split(separator: ":").dropLast().joined(separator: ":") + ":1#1"
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  @Test func `a reader that has had enough is no error`() throws {
    try withCache { keymill in
      // More than a pipe holds.
      try Data(count: 1 << 20).write(to: URL(filePath: keymill.path("long.bin")))
      _ = try keymill.run("cache", "put", "long.bin")
      _ = try keymill.run("cache", "put", "long.bin", "--url", Self.url)
      for arguments in [
        ["get", "long.bin", "-o", "-"], ["get", Self.url, "--follow"],
        ["get", Self.url, "-o", "-"],
        ["list"],
      ] {
        let pipe = try Platform.Pipe()
        let errors = try FileDescriptor.open(keymill.path("errors"), .write)
        var environment = Environment.current
        environment["XDG_CACHE_HOME"] = keymill.path("cache")
        let process = try ChildProcess(
          ChildProcess.Launch(
            KeymillProcess.executable.path(percentEncoded: false), ["cache"] + arguments,
            environment: environment,
            descriptors: [1: pipe.writer.rawValue, 2: errors.rawValue],
            workingDirectory: keymill.path("")))
        _ = consume pipe
        #expect(try process.wait().status == .exited(0), "\(arguments)")
        #expect(try bytes(keymill.path("errors")).isEmpty, "\(arguments)")
      }
    }
  }

  @Test func `where a track cannot go is said in words, with what to do`() throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3")
      try FileManager.default.createDirectory(
        atPath: keymill.path("there"), withIntermediateDirectories: false)
      let full = "/dev/full: cannot be written: No space left on device; free some and try again"
      for (place, code, words) in [
        ("none/b.mp3", 74, "none/b.mp3: there is no directory none; make it first"),
        ("there", 74, "there: is a directory; name the file in it"),
        ("new/", 74, "new/: there is no directory"), ("/dev/full", 74, full),
        ("", 64, "-o needs the name of a file"),
      ] as [(String, Int32, String)] {
        for follow in [[], ["--follow"]] {
          let result = try keymill.run(["cache", "get", "a.mp3", "-o", place] + follow)
          #expect(result.exitCode == code, "\(place) \(follow): \(result.errors)")
          #expect(result.errors.contains(words), "\(result.errors)")
        }
      }
      #expect(try FileStatus("/dev/full").kind != .file)
    }
  }

  @Test func `following into a file that shares its bytes with the cache leaves the cache whole`()
    throws
  {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3", "--url", Self.url)
      _ = try keymill.run("cache", "get", Self.url, "-o", "b.mp3")
      let again = try keymill.run("cache", "get", Self.url, "--follow", "-o", "b.mp3")
      #expect(again.exitCode == 0, "\(again.errors)")
      #expect(try bytes(keymill.path("b.mp3")) == bytes(keymill.path("a.mp3")))
      #expect(try keymill.run("cache", "verify").exitCode == 0)
      // None at all is no reason to lose what is there.
      #expect(
        try keymill.run("cache", "get", "none.mp3", "--follow", "-o", "b.mp3").exitCode == 66)
      #expect(try bytes(keymill.path("b.mp3")) == bytes(keymill.path("a.mp3")))
    }
  }

  @Test func `a cache that cannot be is said in words`() throws {
    try withCache { keymill in
      let result = try keymill.run("cache", "put", "a.mp3", "--cache", "a.mp3")
      #expect(result.exitCode == 74)
      let advice = "choose another directory with $KEYMILL_CACHE or --cache"
      #expect(result.reason.hasSuffix(advice), "\(result.reason)")
      #expect(try keymill.run("cache", "stats", "--cache", "").exitCode == 64)
    }
  }

  @Test(arguments: ["30d", "a", "30dedb5"])
  func `too few digits are told from a missing track`(digits: String) throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3")
      let result = try keymill.run("cache", "get", digits)
      #expect(result.exitCode == 66)
      #expect(
        result.reason
          == "keymill: \(digits): not in the cache; a SHA-256 needs its first 8 digits at least")
    }
  }

  @Test(arguments: ["--max-size", "--max-entries", "--max-cost"])
  func `0 empties the cache of all that is not in use`(option: String) throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3", Checkout.sample("sprite-magenta.mp4"))
      let cache = TrackCache(root: keymill.path("cache/keymill/audio"))
      var used: CachedTrack?
      try cache.forEach { used = $0.file.path.contains(Self.digest) ? $0 : used }
      let lease = try cache.lease(try #require(used))
      let result = try keymill.run("cache", "prune", option, "0")
      #expect(result.exitCode == 0 && result.output.contains("1 removed"), "\(result.errors)")
      try lease?.release()
      _ = try keymill.run("cache", "prune", option, "0")
      #expect(try keymill.run("cache", "stats", "--json").json()["entries"] as? Int == 0)
    }
  }

  @Test func `a file that cannot be put in does not keep the others out`() throws {
    try withCache { keymill in
      let result = try keymill.run(
        "cache", "put", "none.mp3", "a.mp3", ".", Checkout.sample("sprite-magenta.mp4"))
      #expect(result.exitCode == 66 && result.errors.contains("none.mp3"), "\(result.errors)")
      #expect(result.output.split(separator: "\n").count == 2)
      #expect(try keymill.run("cache", "stats", "--json").json()["entries"] as? Int == 2)
    }
  }

  @Test func `what the limits leave no room for is not said to be kept`() throws {
    try withCache { keymill in
      let result = try keymill.run(
        "cache", "put", "a.mp3", environment: ["KEYMILL_CACHE_SIZE": "1k"])
      #expect(result.exitCode == 74 && result.output == "")
      #expect(result.reason.contains("the cache's limits leave no room for it"))
    }
  }

  @Test(arguments: ["KEYMILL_CACHE_ENTRIES", "KEYMILL_CACHE_COST"])
  func `a limit that lets nothing in is no limit`(variable: String) throws {
    try withCache { keymill in
      #expect(
        try keymill.run("cache", "stats", environment: ["KEYMILL_CACHE_SIZE": "0"]).exitCode == 64)
      for value in ["0", "-1"] {
        let result = try keymill.run("cache", "put", "a.mp3", environment: [variable: value])
        #expect(result.exitCode == 64, "\(result.errors)")
      }
      #expect(try keymill.run("cache", "put", "a.mp3", "--expires", "0").exitCode == 64)
      let dear = try keymill.run("cache", "put", "a.mp3", "--cost", "9223372036854775807")
      #expect(dear.exitCode == 64 && dear.errors.contains("must not be above 1000000000000"))
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a file system"))
  func `on a full disk a cache can be read, and be made smaller`() throws {
    try withCache { keymill in
      let disk = try SmallDisk(keymill.path("full"), kibibytes: 2000)
      defer { disk.unmount() }
      func cache(_ arguments: String...) throws -> KeymillProcess.Result {
        try keymill.run(
          ["cache"] + arguments + ["--cache", keymill.path("full/cache")],
          environment: ["KEYMILL_CACHE_FREE": "0"])
      }
      #expect(try cache("put", "a.mp3").exitCode == 0)
      func fill(_ name: String) throws {
        let filling = try FileDescriptor.open(keymill.path("full/\(name)"), .create)
        #expect(throws: PlatformError.self) {
          while true { try filling.writeAll([UInt8](repeating: 0, count: 512)) }
        }
      }
      try fill("a")
      for command in [["list"], ["stats"], ["get", Self.digest]] {
        let result = try keymill.run(
          ["cache"] + command + ["--cache", keymill.path("full/cache")])
        #expect(result.exitCode == 0, "\(command): \(result.errors)")
      }
      let refused = try cache("put", Checkout.sample("sprite-magenta.mp4"))
      #expect(refused.exitCode == 74 && refused.errors.contains("no space left"))
      // The refused one may have left some.
      try fill("b")
      let pruned = try cache("prune", "--max-size", "0")
      #expect(pruned.exitCode == 0, "\(pruned.errors)")
      #expect(pruned.output.hasPrefix("1 removed"))
      #expect(try cache("list").output.isEmpty)
      try Files.removeFile(keymill.path("full/a"))
      #expect(try cache("put", "a.mp3").exitCode == 0)
      try fill("a")
      let removed = try cache("remove", Self.digest)
      #expect(removed.exitCode == 0, "\(removed.errors)")
      #expect(try cache("list").output.isEmpty)
      #expect(try cache("stats", "--json").json()["entries"] as? Int == 0)
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a file system"))
  func `a cache that may only be read serves what is in it`() throws {
    try withCache { keymill in
      let disk = try SmallDisk(keymill.path("disk"), kibibytes: 4000)
      defer { disk.unmount() }
      let environment = ["KEYMILL_CACHE": keymill.path("disk/cache"), "KEYMILL_CACHE_FREE": "0"]
      func run(_ arguments: String...) throws -> KeymillProcess.Result {
        try keymill.run(arguments, environment: environment)
      }
      #expect(try run("cache", "put", "a.mp3", "--url", Self.url).exitCode == 0)
      // Of a process that has ended.
      let stale = try Self.staleLease(in: keymill.path("disk/cache"))
      try AtomicFile.write("\n", to: stale)
      try disk.protect()
      try keymill.copy(Checkout.recipe("audio"), to: "r.json")
      for arguments in [
        ["cache", "get", Self.url], ["cache", "get", Self.url, "--max-age", "0"],
        ["cache", "get", Self.url, "--follow", "-o", "b.mp3"], ["run", "r.json", Self.url],
        ["probe", Self.url], ["cache", "stats"], ["cache", "list"], ["cache", "verify"],
      ] {
        let result = try keymill.run(arguments, environment: environment)
        #expect(result.exitCode == 0, "\(arguments): \(result.errors)")
      }
      #expect(try bytes(keymill.path("b.mp3")) == bytes(keymill.path("a.mp3")))
      #expect((try? FileStatus(stale)) != nil)
      let missing = try run("cache", "get", "https://example.org/b.mp3")
      #expect(missing.exitCode == 74 && missing.reason.contains("may only be read by this user"))
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a file system"))
  func `a reserve that no removing brings about removes nothing, and is told once`() throws {
    try withCache { keymill in
      let disk = try SmallDisk(keymill.path("disk"), kibibytes: 4000)
      defer { disk.unmount() }
      let environment = ["KEYMILL_CACHE": keymill.path("disk/cache")]
      let result = try keymill.run(
        "cache", "put", "a.mp3", Checkout.sample("sprite-magenta.mp4"), environment: environment)
      #expect(result.exitCode == 0)
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.errors.contains("lower $KEYMILL_CACHE_FREE"), "\(result.errors)")
      _ = try keymill.run("cache", "prune", environment: environment)
      let statistics = try keymill.run("cache", "stats", "--json", environment: environment)
      #expect(try statistics.json()["entries"] as? Int == 2)
    }
  }

  @Test func `a track is not taken out into the cache itself`() throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3")
      let shard = keymill.path("cache/keymill/audio/\(Self.digest.prefix(2))")
      for follow in [[], ["--follow"]] {
        let result = try keymill.run(["cache", "get", "a.mp3", "-o", shard + "/b.mp3"] + follow)
        #expect(result.exitCode == 64 && result.reason.contains("inside of the cache"))
      }
      #expect(try Files.list(shard).count == 1)
    }
  }

  @Test func `putting is not asking`() throws {
    try withCache { keymill in
      _ = try keymill.run("cache", "put", "a.mp3")
      let statistics = try keymill.run("cache", "stats", "--json").json()
      #expect(statistics["hits"] as? Int == 0 && statistics["misses"] as? Int == 0)
    }
  }
}
