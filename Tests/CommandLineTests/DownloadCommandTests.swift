import Foundation
import Glibc
import Platform
import TestServer
import TestSupport
import Testing

/// URLs on the command line, and a server of ours that counts.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DownloadCommandTests {
  private static let digest = "30dedb574c47de34d9de8c4d151bc2cd1056ebc18ab7b09ad4947da3573e1d46"
  private let track: [UInt8]
  private let server: BadServer

  init() throws {
    track = try Files.read(Checkout.sample("track.mp3"))
    server = try BadServer(serving: track)
  }

  private func withKeymill(_ body: (KeymillProcess) throws -> Void) throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try keymill.copy(Checkout.recipe("audio"), to: "r.json")
    try keymill.copy(Checkout.recipe("stills"), to: "stills.json")
    try body(keymill)
  }

  @Test func `run downloads once, and names the output after the URL`() throws {
    try withKeymill { keymill in
      let url = server.url("/my%20song.mp3", user: "me:s3cret@")
      for _ in 0..<2 {
        let result = try keymill.run("run", "r.json", url, "--allow-private", "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(!(result.output + result.errors).contains("s3cret"))
      }
      #expect(try Files.read(keymill.path("out/my song/audio/my song.mp3")) == track)
      let manifest = try Files.read(keymill.path("out/my song/manifest.json"))
      #expect(String(decoding: manifest, as: UTF8.self).contains(server.url("/my%20song.mp3")))
      #expect(server.asked.count == 1)
    }
  }

  @Test func `a picture comes the same way`() throws {
    try withKeymill { keymill in
      let clip = try BadServer(serving: Files.read(Checkout.sample("sprite-magenta.mp4")))
      let result = try keymill.run("run", "stills.json", clip.url("/c.mp4"), "--allow-private")
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(!keymill.names(in: "out/c/stills").isEmpty)
    }
  }

  @Test func `a job for a URL goes through the pool without showing its password`() throws {
    try withKeymill { keymill in
      let url = server.url("/a.mp3", user: "me:s3cret@")
      let submitted = try keymill.run("submit", "r.json", url, "--json")
      #expect(submitted.exitCode == 0)
      let worked = try keymill.run("work", "--drain", "--allow-private")
      #expect(worked.exitCode == 0, "\(worked.errors)")
      #expect(worked.errors.contains("job 1 a.mp3: completed"))
      #expect(try Files.read(keymill.path("out/a/audio/a.mp3")) == track)
      #expect(server.asked.map { $0.fields["authorization"] != nil } == [true])
      var words = submitted.output + submitted.errors + worked.errors
      for command in [
        ["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"],
        ["events"], ["cache", "list"], ["cache", "list", "--json"],
      ] {
        words += try keymill.run(command).output
      }
      #expect(words.contains(server.url("/a.mp3")))
      #expect(!words.contains("s3cret"))
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a file system"))
  func `a job for a URL waits while the cache's disk is full`() throws {
    try withKeymill { keymill in
      let disk = try SmallDisk(keymill.path("cache"), kibibytes: 800)
      defer { disk.unmount() }
      let filler = keymill.path("cache/filler")
      try FileDescriptor.open(filler, .create).writeAll([UInt8](repeating: 1, count: 640 << 10))
      #expect(
        try keymill.run("submit", "r.json", server.url("/a.mp3"), "--max-attempts", "1").exitCode
          == 0)
      let pool = try RunningPool(keymill, "--allow-private", untilStaged: false)
      defer { pool.end() }
      try pool.waitForLine(containing: "; tries again in ")
      let waiting = try #require(try keymill.jobs("list", "--json").first)
      #expect(waiting["state"] as? String == "scheduled")
      let reason = try #require(waiting["error"] as? String)
      #expect(reason.contains("no space left in ") && reason.contains("make room"), "\(reason)")
      #expect(keymill.names(in: "out") == [])
      try Files.removeFile(filler)
      try pool.waitForLine(containing: "completed in")
      let job = try #require(try keymill.jobs("list", "--json").first)
      #expect(job["failures"] as? Int == 0 && job["crashes"] as? Int == 0)
      #expect(try Files.read(keymill.path("out/a/audio/a.mp3")) == track)
    }
  }

  @Test func `what cannot be fetched ends with the code of its kind`() throws {
    try withKeymill { keymill in
      func code(_ url: String, _ arguments: String...) throws -> Int32 {
        try keymill.run(["run", "r.json", url] + arguments).exitCode
      }
      let missing = try BadServer { _ in [.head("404 None", "Content-Length: 0")] }
      #expect(try code(server.url()) == 65)
      #expect(try code("http://") == 65)
      #expect(try code("ftp://example.org/a.mp3") == 65)
      #expect(try code(missing.url(), "--allow-private") == 66)
      #expect(try keymill.run("submit", "r.json", "http://").exitCode == 65)
      #expect(keymill.names(in: "out") == [])
    }
  }

  @Test func `cache get downloads what is missing, once`() throws {
    try withKeymill { keymill in
      let first = try keymill.run("cache", "get", server.url(), "--allow-private")
      #expect(first.exitCode == 0, "\(first.errors)")
      #expect(first.output.hasSuffix("/30/\(Self.digest).mp3\n"))
      let second = try keymill.run("cache", "get", server.url(), "--allow-private")
      #expect(second.output == first.output)
      #expect(server.asked.count == 1)
      // Known by the next one, although it was noted on a thread that ends with the command.
      #expect(try keymill.run("cache", "stats", "--json").json()["hits"] as? Int == 1)
    }
  }

  @Test func `what is older than --max-age is asked about`() throws {
    try withKeymill { keymill in
      let server = try BadServer { asked in
        asked.fields["if-none-match"] == "\"1\""
          ? [.head("304 Not Modified", "ETag: \"1\"")]
          : [.head("200 OK", "ETag: \"1\"", "Content-Length: 5"), .send(Array("music".utf8))]
      }
      for age in ["1h", "1h", "0"] {
        let result = try keymill.run(
          "cache", "get", server.url(), "--allow-private", "--max-age", age, "-o", "-")
        #expect(result.output == "music", "\(result.errors)")
      }
      #expect(server.asked.map { $0.fields["if-none-match"] } == [nil, "\"1\""])
    }
  }

  @Test func `--follow writes a track out as it comes`() throws {
    try withKeymill { keymill in
      let command = ["cache", "get", server.url(), "--allow-private", "--follow", "-o", "b.mp3"]
      for _ in 0..<2 {
        let result = try keymill.run(command)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try Files.read(keymill.path("b.mp3")) == track)
      }
      #expect(server.asked.count == 1)
    }
  }

  @Test func `--follow replaces a file only once there is something to write`() throws {
    try withKeymill { keymill in
      try FileDescriptor.open(keymill.path("b.mp3"), .create).writeAll("mine")
      let none = try BadServer { _ in [.head("404 Not Found", "Content-Length: 0")] }
      let refused = try keymill.run(
        "cache", "get", none.url(), "--allow-private", "--follow", "-o", "b.mp3")
      #expect(refused.exitCode == 66, "\(refused.errors)")
      #expect(try Files.read(keymill.path("b.mp3")) == Array("mine".utf8))
      #expect(
        try keymill.run("cache", "get", none.url(), "--allow-private", "--follow", "-o", "c.mp3")
          .exitCode == 66)
      #expect((try? FileStatus(keymill.path("c.mp3"))) == nil)
    }
  }

  @Test func `a file that --follow had begun is removed where the rest does not come`() throws {
    try withKeymill { keymill in
      let server = try BadServer(serving: track, haltingFirstAt: 1000)
      var environment = Environment.current
      environment["XDG_CACHE_HOME"] = keymill.path("cache")
      let path = keymill.path("b.mp3")
      let process = try ChildProcess(
        ChildProcess.Launch(
          KeymillProcess.executable.path(percentEncoded: false),
          ["cache", "get", server.url(), "--allow-private", "--follow", "-o", path],
          environment: environment))
      // Nothing tells another process that a file has grown.
      for _ in 0..<3000 where (try? FileStatus(path))?.size != 1000 { usleep(10_000) }
      #expect(try FileStatus(path).size == 1000)
      process.send(.terminate)
      #expect(try process.wait().status == .exited(75))
      #expect((try? FileStatus(path)) == nil)
    }
  }

  @Test func `--follow hands out what has come before the rest is there`() throws {
    try withKeymill { keymill in
      let server = try BadServer(serving: track, haltingFirstAt: 1000)
      let pipe = try Platform.Pipe()
      var environment = Environment.current
      environment["XDG_CACHE_HOME"] = keymill.path("cache")
      let process = try ChildProcess(
        ChildProcess.Launch(
          KeymillProcess.executable.path(percentEncoded: false),
          ["cache", "get", server.url(), "--allow-private", "--follow"],
          environment: environment, descriptors: [1: pipe.writer.rawValue]))
      var seen: [UInt8] = []
      while seen.count < 1000, case .bytes(let bytes) = try pipe.reader.read() { seen += bytes }
      #expect(seen == Array(track.prefix(1000)))
      process.send(.terminate)
      #expect(try process.wait().status == .exited(75))
      let rest = try keymill.run("cache", "get", server.url(), "--allow-private", "-o", "b.mp3")
      #expect(rest.exitCode == 0, "\(rest.errors)")
      #expect(try Files.read(keymill.path("b.mp3")) == track)
      #expect(server.asked.map(\.offset) == [0, 1000])
    }
  }

  @Test(arguments: [Signal.interrupt, .kill])
  func `where one that follows ends, the others go on from there`(signal: Signal)
    throws
  {
    try withKeymill { keymill in
      let server = try BadServer(serving: track, haltingFirstAt: 1000)
      var environment = Environment.current
      environment["XDG_CACHE_HOME"] = keymill.path("cache")
      let processes = try ["a.mp3", "b.mp3", "c.mp3"].map { name in
        let process = try ChildProcess(
          ChildProcess.Launch(
            KeymillProcess.executable.path(percentEncoded: false),
            [
              "cache", "get", server.url(), "--allow-private", "--follow", "-o",
              keymill.path(name),
            ], environment: environment))
        // Nothing tells another process that a file has grown.
        for _ in 0..<3000 where (try? FileStatus(keymill.path(name)))?.size != 1000 {
          usleep(10_000)
        }
        return process
      }
      processes[0].send(signal)
      _ = try processes[0].wait()
      for (process, name) in zip(processes, ["a.mp3", "b.mp3", "c.mp3"]).dropFirst() {
        #expect(try process.wait().status == .exited(0))
        #expect(try Files.read(keymill.path(name)) == track)
      }
      #expect(server.asked.map(\.offset) == [0, 1000])
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a file system"))
  func `a download that does not fit is refused before it fills the disk`() throws {
    try withKeymill { keymill in
      let disk = try SmallDisk(keymill.path("disk"), kibibytes: 4000)
      defer { disk.unmount() }
      let environment = ["KEYMILL_CACHE": keymill.path("disk/cache"), "KEYMILL_CACHE_FREE": "2M"]
      let large = try BadServer(
        serving: [UInt8](repeating: 1, count: 5_000_000), haltingFirstAt: 500_000)
      func run(_ arguments: String...) throws -> KeymillProcess.Result {
        try keymill.run(["cache"] + arguments, environment: environment)
      }
      #expect(try run("get", server.url(), "--allow-private").exitCode == 0)
      let refused = try run("get", large.url("/b.bin"), "--allow-private")
      #expect(refused.exitCode == 74, "\(refused.errors)")
      #expect(refused.reason.contains("no space left in ") && refused.reason.contains("make room"))
      #expect(try Files.freeSpace(keymill.path("disk")) > 2_000_000)
      #expect(try run("stats", "--json").json()["entries"] as? Int == 1)
      // What has come of it goes with all else that is not in use.
      #expect(try run("prune", "--max-entries", "0").exitCode == 0)
      #expect(try Files.list(keymill.path("disk/cache/partial")).isEmpty)
      #expect(try run("verify").exitCode == 0)
    }
  }

  @Test func `what came from a private host is refused without --allow-private, cached or not`()
    throws
  {
    try withKeymill { keymill in
      let url = server.url("/a.mp3")
      #expect(try keymill.run("run", "r.json", url, "--allow-private").exitCode == 0)
      for command in [
        ["run", "r.json", url], ["cache", "get", url], ["cache", "get", url, "-o", "-"],
        ["cache", "get", url, "--follow"], ["probe", url],
      ] {
        let result = try keymill.run(command)
        #expect(result.exitCode == 65, "\(command)")
        #expect(result.output == "" && result.reason.contains("--allow-private fetches from there"))
      }
      #expect(server.asked.count == 1)
    }
  }

  @Test func `probe downloads a URL once, and shows it by its name`() throws {
    try withKeymill { keymill in
      let url = server.url("/a.mp3", user: "me:s3cret@")
      for _ in 0..<2 {
        let result = try keymill.run("probe", url, "--allow-private")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("\(server.url("/a.mp3")): MP2/3"))
      }
      let json = try keymill.run("probe", url, "--allow-private", "--json").json()
      #expect(json["path"] as? String == server.url("/a.mp3"))
      #expect(server.asked.count == 1)
      #expect(try keymill.run("probe", server.url("/b.mp3")).exitCode == 65)
      #expect(try keymill.run("probe", "ftp://example.org/a.mp3").exitCode == 65)
    }
  }

  @Test func `what is no media goes within the hour; what is, stays`() throws {
    try withKeymill { keymill in
      let words = try BadServer(serving: Array("no media at all, only words".utf8))
      #expect(try keymill.run("run", "r.json", words.url(), "--allow-private").exitCode == 65)
      #expect(try keymill.run("probe", words.url(), "--allow-private").exitCode == 65)
      let rejected = try keymill.run("cache", "list", "--json").json()
      let expiry = try #require(rejected["expiresAt"] as? String)
      let date = try Date(expiry, strategy: .iso8601)
      #expect(date > .now && date < .now + 3700)
      #expect(words.asked.count == 1)
      #expect(try keymill.run("cache", "get", words.url(), "--allow-private").exitCode == 0)
      #expect(try keymill.run("cache", "list", "--json").json()["expiresAt"] == nil)
    }
  }

  @Test func `an interrupted run says so in its JSON`() throws {
    try withKeymill { keymill in
      let asked = try Platform.Pipe()
      let number = asked.writer.rawValue
      let server = try BadServer { _ in
        _ = unsafe write(number, [0], 1)
        return [.head("200 OK", "Content-Length: 5"), .wait]
      }
      try keymill.copy(Checkout.sample("track.mp3"), to: "a.mp3")
      let url = server.url("/b.mp3")
      let running = try keymill.start(
        ["run", "r.json", "a.mp3", url, "c.mp3", "--allow-private", "--json"])
      _ = try asked.reader.read()
      running.process.interrupt()
      let result = try running.wait()
      #expect(result.exitCode == 75, "\(result.errors)")
      let json = try result.json()
      #expect(json["interrupted"] as? Bool == true)
      #expect((json["outputs"] as? [[String: Any]])?.map { $0["input"] as? String } == ["a.mp3"])
      let failures = try #require(json["failures"] as? [[String: Any]])
      #expect(failures.count == 1 && failures[0]["input"] as? String == url)
      #expect(failures[0]["exitCode"] as? Int == 75)
    }
  }
}
