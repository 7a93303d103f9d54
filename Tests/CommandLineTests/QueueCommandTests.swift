import Foundation
import Testing

/// The commands of the queue, as a user types them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct QueueCommandTests {
  /// A queue of its own, with the recipe `r.json` and the input `a.mp3`.
  private func withQueue(_ body: (KeymillProcess) throws -> Void) throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try keymill.copy(Checkout.recipe("audio"), to: "r.json")
    try keymill.copy(Checkout.sample("track.mp3"), to: "a.mp3")
    try body(keymill)
  }

  @Test func `what is submitted is worked off, and list, show and stats tell of it`() throws {
    try withQueue { keymill in
      let submit = try keymill.run("submit", "r.json", "a.mp3")
      #expect(submit.exitCode == 0 && submit.output == "1\n")
      let work = try keymill.run("work", "--processes", "1", "--drain")
      #expect(work.exitCode == 0)
      #expect(work.output.isEmpty)
      #expect(work.errors.contains("job 1 a.mp3: completed in "))
      #expect(keymill.names(in: "out") == ["a"])
      #expect(keymill.names(in: "out/a/audio") == ["a.mp3"])

      let listed = try keymill.jobs("list", "--json")
      #expect(listed.map { $0["id"] as? Int } == [1])
      let shown = try keymill.run("show", "1", "--json").json()
      #expect(shown["state"] as? String == "completed")
      #expect((shown["attempts"] as? [[String: Any]])?.first?["outcome"] as? String == "completed")
      let events = try #require(shown["events"] as? [[String: Any]])
      #expect(events.map { $0["event"] as? String } == ["submitted", "claimed", "completed"])
      let manifest = try #require(shown["manifest"] as? [String: Any])
      #expect((manifest["files"] as? [[String: Any]])?.first?["path"] as? String == "audio/a.mp3")
      let stats = try keymill.run("stats", "--json").json()
      #expect((stats["states"] as? [String: Int])?["completed"] == 1)
      #expect((stats["queues"] as? [String: [String: Int]])?["default"]?["available"] == 0)
    }
  }

  @Test func `the score of a job's mattes stays when its output is gone`() throws {
    try withQueue { keymill in
      try Data(#"{"key": {"color": "auto", "to": 0.2}}"#.utf8)
        .write(to: keymill.directory.appending(path: "k.json"))
      try keymill.copy(Checkout.sample("sprite-magenta.mp4"), to: "clip.mp4")
      #expect(try keymill.run("submit", "k.json", "clip.mp4").exitCode == 0)
      #expect(try keymill.run("work", "--processes", "1", "--drain").exitCode == 0)
      try FileManager.default.removeItem(at: keymill.directory.appending(path: "out"))
      let shown = try keymill.run("show", "1", "--json").json()
      #expect(shown["manifest"] is NSNull)
      let score = try #require(shown["score"] as? [String: Any])
      #expect(score["verdict"] as? String == "pass")
      let shares = ["transparent", "partial", "opaque"].compactMap { score[$0] as? Double }
      #expect(shares.count == 3 && abs(shares.reduce(0, +) - 1) < 1e-9)
      let screens = try #require(score["screens"] as? [[String: Any]])
      #expect((screens.first?["color"] as? String)?.hasPrefix("#f") == true)
      #expect(screens.first?["spread"] is Double)
      #expect(try keymill.run("show", "1").output.contains(", screen #f"))
    }
  }

  @Test func `a job in JSON has every field of the contract`() throws {
    try withQueue { keymill in
      let jobs = try keymill.jobs("submit", "r.json", "a.mp3", "--batch", "b", "--json")
      let job = try #require(jobs.first)
      for field in [
        "id", "state", "queue", "priority", "input", "output", "recipe", "batch", "attempt",
        "crashes", "progress", "error", "createdAt", "startedAt", "finishedAt",
      ] { #expect(job[field] != nil, "\(field) is missing") }
      #expect(job["state"] as? String == "available")
      #expect(job["input"] as? String == keymill.realPath("a.mp3"))
      #expect(job["output"] as? String == keymill.realPath("") + "/out/a")
      #expect(job["recipe"] as? String == "r" && job["batch"] as? String == "b")
      #expect(job["error"] is NSNull && job["startedAt"] is NSNull)
      let created = try #require(job["createdAt"] as? String)
      #expect(created.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)
    }
  }

  @Test func `an input that is missing or a directory is refused, and nothing is queued`() throws {
    try withQueue { keymill in
      let missing = try keymill.run("submit", "r.json", "a.mp3", "none.mp4")
      #expect(missing.exitCode == 66)
      #expect(missing.reason == "keymill: none.mp4: no such file")
      let directory = try keymill.run("submit", "r.json", ".")
      #expect(directory.exitCode == 66)
      #expect(directory.reason == "keymill: .: is a directory; name the files in it")
      #expect(try keymill.run("list").exitCode == 66)
      #expect(!keymill.names(in: "state").contains("keymill"))
    }
  }

  @Test func `a recipe that is wrong or missing is refused, and nothing is queued`() throws {
    try withQueue { keymill in
      try Data(#"{"audoi": {}}"#.utf8).write(to: keymill.directory.appending(path: "bad.json"))
      let bad = try keymill.run("submit", "bad.json", "a.mp3")
      #expect(bad.exitCode == 65)
      #expect(bad.reason.contains("audio"), "names the nearest field")
      #expect(try keymill.run("submit", "none.json", "a.mp3").exitCode == 66)
      #expect(try keymill.run("list").exitCode == 66)
    }
  }

  @Test func `a waiting job is cancelled and can be retried`() throws {
    try withQueue { keymill in
      _ = try keymill.run("submit", "r.json", "a.mp3")
      #expect(try keymill.run("cancel", "1").errors == "job 1: cancelled\n")
      #expect(try keymill.run("cancel", "1").errors == "job 1: cancelled already\n")
      #expect(try keymill.run("work", "--drain").exitCode == 0)
      #expect(keymill.names(in: "out") == [])
      #expect(try keymill.run("retry", "1").errors == "job 1: available\n")
      let again = try keymill.run("retry", "1")
      #expect(again.exitCode == 1 && again.reason.contains("job 1 is available"))
      #expect(try keymill.run("work", "--drain").exitCode == 0)
      #expect(keymill.names(in: "out") == ["a"])
      let unknown = try keymill.run("cancel", "99")
      #expect(unknown.exitCode == 66 && unknown.reason.contains("no job 99"))
    }
  }

  @Test func `a unique job stands for its like until it has ended`() throws {
    try withQueue { keymill in
      #expect(try keymill.run("submit", "r.json", "a.mp3", "--unique").output == "1\n")
      #expect(try keymill.run("submit", "r.json", "a.mp3", "--unique").output == "1\n")
      _ = try keymill.run("work", "--drain")
      #expect(try keymill.run("submit", "r.json", "a.mp3", "--unique").output == "2\n")
    }
  }

  @Test func `inputs of one name get outputs of their own`() throws {
    try withQueue { keymill in
      for name in ["x", "y"] { try keymill.copy(keymill.path("a.mp3"), to: "\(name)/a.mp3") }
      _ = try keymill.run("submit", "r.json", "x/a.mp3")
      let second = try keymill.jobs("submit", "r.json", "y/a.mp3", "--json")
      #expect((second.first?["output"] as? String)?.hasSuffix("/out/a-2") == true)
      #expect(try keymill.run("work", "--drain").exitCode == 0)
      let again = try keymill.jobs("submit", "r.json", "y/a.mp3", "--json")
      #expect((again.first?["output"] as? String)?.hasSuffix("/out/a-2") == true)
      #expect(keymill.names(in: "out") == ["a", "a-2"])
    }
  }

  @Test func `waiting for jobs ends as they end`() throws {
    try withQueue { keymill in
      try Data("no media".utf8).write(to: keymill.directory.appending(path: "text.mp3"))
      let good = try keymill.start(["submit", "r.json", "a.mp3", "--wait"])
      let bad = try keymill.start(["submit", "r.json", "text.mp3", "--wait", "--json"])
      let pool = try keymill.start(["work", "--processes", "2"])
      defer { pool.process.terminate() }
      let goodResult = try good.wait()
      #expect(goodResult.exitCode == 0)
      #expect(goodResult.errors.contains("a.mp3: completed → "))
      let badResult = try bad.wait()
      #expect(badResult.exitCode == 1)
      let job = try #require((badResult.json()["jobs"] as? [[String: Any]])?.first)
      #expect(job["state"] as? String == "failed")
      #expect((job["error"] as? String)?.contains("text.mp3") == true)
      pool.process.terminate()
      #expect(try pool.wait().exitCode == 0)
    }
  }

  @Test func `a failed job makes a drain fail`() throws {
    try withQueue { keymill in
      try Data("no media".utf8).write(to: keymill.directory.appending(path: "text.mp3"))
      _ = try keymill.run("submit", "r.json", "text.mp3", "a.mp3")
      #expect(try keymill.run("work", "--drain").exitCode == 1)
      #expect(keymill.names(in: "out") == ["a"])
      let list = try keymill.jobs("list", "--state", "failed", "--json")
      #expect(list.map { $0["id"] as? Int } == [1])
    }
  }

  @Test func `an output that cannot be written is a clear error`() throws {
    try withQueue { keymill in
      _ = try keymill.run(
        "submit", "r.json", "a.mp3", "-o", "/proc/keymill", "--max-attempts", "1")
      #expect(try keymill.run("work", "--drain").exitCode == 1)
      let error = try keymill.jobs("list", "--json").first?["error"] as? String
      #expect(error?.contains("/proc/keymill") == true)
      #expect(error?.contains("\n") == false)
    }
  }

  @Test func `names that look like options, patterns or protocols are taken as they are`() throws {
    try withQueue { keymill in
      let odd = ["-dash.mp3", "100% %03d.mp3", "a:b.mp3", "grün 🎬.mp3"]
      for name in odd { try keymill.copy(keymill.path("a.mp3"), to: name) }
      #expect(try keymill.run(["submit", "r.json", "--"] + odd).exitCode == 0)
      #expect(try keymill.run("work", "--drain").exitCode == 0)
      #expect(keymill.names(in: "out") == ["-dash", "100% %03d", "a:b", "grün 🎬"])
    }
  }
}

/// What many processes do with one queue at the same time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct QueueSharingTests {
  @Test func `submitters and listers at once lose nothing`() throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try keymill.copy(Checkout.recipe("audio"), to: "r.json")
    let inputs = (0..<24).map { "\($0).mp3" }
    for name in inputs { try keymill.copy(Checkout.sample("track.mp3"), to: name) }
    let pools = try (0..<2).map { _ in try keymill.start(["work", "--processes", "2"]) }
    let submitters = try (0..<8).map { number in
      try keymill.start(["submit", "r.json", "--wait"] + inputs[number * 3..<number * 3 + 3])
    }
    let listers = try (0..<8).map { _ in try keymill.start(["list", "--json"]) }
    for lister in listers {
      let result = try lister.wait()
      #expect(result.exitCode == 0 || result.reason.contains("no queue there"))
    }
    for submitter in submitters { #expect(try submitter.wait().exitCode == 0) }
    for pool in pools { pool.process.terminate() }
    for pool in pools {
      let result = try pool.wait()
      #expect(result.exitCode == 0, "\(result)")
    }
    let jobs = try keymill.jobs("list", "--json")
    #expect(jobs.count == 24)
    #expect(jobs.allSatisfy { $0["state"] as? String == "completed" && $0["attempt"] as? Int == 1 })
    #expect(keymill.names(in: "out").count == 24)
  }

  @Test func `a process that holds the queue for three seconds makes no submit fail`() throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try keymill.copy(Checkout.recipe("audio"), to: "r.json")
    try keymill.copy(Checkout.sample("track.mp3"), to: "a.mp3")
    #expect(try keymill.run("submit", "r.json", "a.mp3").exitCode == 0)
    let pool = try keymill.start(["work", "--processes", "1"])
    defer { pool.process.terminate() }
    let lock = try QueueLock(keymill.path("state/keymill/queue.db"))
    let submit = try keymill.start(["submit", "r.json", "a.mp3", "--wait"])
    let list = try keymill.run("list")
    #expect(list.exitCode == 0, "a reader waits for nobody")
    try lock.release(after: .seconds(3))
    let result = try submit.wait()
    #expect(result.exitCode == 0)
    #expect(result.output == "2\n")
    pool.process.terminate()
    #expect(try pool.wait().exitCode == 0)
  }
}
