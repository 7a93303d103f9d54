import Foundation
import Testing

/// Outputs that were made before are not made again.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ReuseTests {
  /// A queue with the recipe `r.json`, and the same bytes as `a/clip.mp4` and `b/clip.mp4`.
  private func withTwins(_ body: (KeymillProcess) throws -> Void) throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try Data(#"{"stills": {"at": ["50%"]}}"#.utf8)
      .write(to: keymill.directory.appending(path: "r.json"))
    try keymill.copy(Checkout.sample("sprite-magenta.mp4"), to: "a/clip.mp4")
    try keymill.copy(Checkout.sample("sprite-magenta.mp4"), to: "b/clip.mp4")
    try work(keymill, "a/clip.mp4")
    try body(keymill)
  }

  /// Submits and works off, and gives what the pool says.
  @discardableResult
  private func work(_ keymill: KeymillProcess, _ arguments: String...) throws -> String {
    #expect(try keymill.run(["submit", "r.json"] + arguments).exitCode == 0)
    let work = try keymill.run("work", "--processes", "1", "--drain")
    #expect(work.exitCode == 0)
    return work.errors
  }

  /// Which file a name stands for.
  private func file(_ keymill: KeymillProcess, _ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: keymill.path(name))
    return try #require(attributes[.systemFileNumber] as? Int)
  }

  private let still = "stills/0001.jpg"

  @Test func `the same bytes by the same recipe get the earlier output, and everyone says so`()
    throws
  {
    try withTwins { keymill in
      let log = try work(keymill, "b/clip.mp4")
      #expect(log.contains(", the same as job 1's → "))
      #expect(try text(keymill, "out/clip/\(still)") == text(keymill, "out/clip-2/\(still)"))
      let job = try keymill.run("show", "2", "--json").json()
      #expect(job["reusedFrom"] as? Int == 1)
      let input = (job["manifest"] as? [String: Any])?["input"] as? [String: Any]
      #expect(input?["path"] as? String == keymill.path("b/clip.mp4"))
      #expect(try keymill.run("show", "2").output.contains("the same as job 1's"))
      #expect(try keymill.run("list").output.contains("out/clip-2 (as job 1's)"))
    }
  }

  @Test func `an earlier output that is not whole any more is made anew`() throws {
    try withTwins { keymill in
      var bytes = try Data(contentsOf: keymill.directory.appending(path: "out/clip/\(still)"))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: keymill.directory.appending(path: "out/clip/\(still)"))
      let log = try work(keymill, "b/clip.mp4", "a/clip.mp4")
      #expect(!log.contains("the same as job 1's"))
      // The first is made, and the second linked from it.
      #expect(log.contains(", the same as job 2's → "))
      #expect(try text(keymill, "out/clip/\(still)") == text(keymill, "out/clip-2/\(still)"))
    }
  }

  @Test func `a forced job is made anew, and the next takes it from there`() throws {
    try withTwins { keymill in
      #expect(try !work(keymill, "b/clip.mp4", "--force").contains("the same as"))
      let before = try file(keymill, "out/clip-2/\(still)")
      #expect(try work(keymill, "b/clip.mp4").contains(", found whole in its place → "))
      #expect(try file(keymill, "out/clip-2/\(still)") == before)
    }
  }

  @Test func `another recipe, or other bytes, are made`() throws {
    try withTwins { keymill in
      try Data(#"{"stills": {"at": ["10%"]}}"#.utf8)
        .write(to: keymill.directory.appending(path: "r.json"))
      #expect(try !work(keymill, "b/clip.mp4").contains("the same as"))
      try keymill.copy(Checkout.sample("sprite-green-noisy.mp4"), to: "c/clip.mp4")
      #expect(try !work(keymill, "c/clip.mp4").contains("the same as"))
    }
  }

  @Test(arguments: [
    #"{"key": {"to": 0.1, "garbage": {"picture": "mask.png"}}}"#,
    #"{"stills": {"filters": [{"blend-add": {"pictures": ["mask.png"]}}]}}"#,
  ])
  func `of a recipe that names pictures, the same and other pictures are told apart`(
    recipe: String
  ) throws {
    try withTwins { keymill in
      try Data(recipe.utf8).write(to: keymill.directory.appending(path: "r.json"))
      try keymill.copy(Checkout.sample("truth/000030.png"), to: "mask.png")
      #expect(try !work(keymill, "a/clip.mp4").contains("the same as"))
      #expect(try work(keymill, "b/clip.mp4").contains(", the same as job 2's → "))
      #expect(try work(keymill, "b/clip.mp4").contains(", found whole in its place → "))
      let other = keymill.directory.appending(path: "mask.png")
      try FileManager.default.removeItem(at: other)
      try keymill.copy(Checkout.sample("truth/000060.png"), to: "mask.png")
      let log = try work(keymill, "b/clip.mp4")
      #expect(!log.contains("the same as") && !log.contains("found whole"))
    }
  }

  @Test func `a whole output that no queue knows of is adopted`() throws {
    try withTwins { keymill in
      // As after a crash between the rename and the commit: the output is there, the job is not done.
      try FileManager.default.removeItem(at: keymill.directory.appending(path: "state"))
      let before = try file(keymill, "out/clip/\(still)")
      #expect(try work(keymill, "a/clip.mp4").contains(", found whole in its place → "))
      #expect(try file(keymill, "out/clip/\(still)") == before)
      let job = try keymill.run("show", "1", "--json").json()
      #expect(job["state"] as? String == "completed" && job["reusedFrom"] is NSNull)
    }
  }

  @Test func `files named after an input are not given to one of another name`() throws {
    try withTwins { keymill in
      try Data(#"{"audio": {}}"#.utf8).write(to: keymill.directory.appending(path: "r.json"))
      try keymill.copy(Checkout.sample("sprite-magenta.mp4"), to: "song.mp4")
      try work(keymill, "a/clip.mp4")
      #expect(try !work(keymill, "song.mp4").contains("the same as"))
      #expect(keymill.names(in: "out/song/audio") == ["song.m4a"])
    }
  }

  private func text(_ keymill: KeymillProcess, _ name: String) throws -> Data {
    try Data(contentsOf: keymill.directory.appending(path: name))
  }
}
