import Foundation
import TestSupport
import Testing

/// What a pool allows its jobs, and what becomes of those that want more.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LimitTests {
  private func withJob(_ body: (KeymillProcess) throws -> Void) throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try Data(#"{"stills": {"at": ["50%"]}}"#.utf8)
      .write(to: keymill.directory.appending(path: "r.json"))
    try keymill.copy(Checkout.sample("sprite-magenta.mp4"), to: "clip.mp4")
    #expect(try keymill.run("submit", "r.json", "clip.mp4").exitCode == 0)
    try body(keymill)
  }

  @Test func `a kernel without Landlock is warned of once, and work goes on`() throws {
    try withJob { keymill in
      let work = try keymill.run(
        ["work", "--drain", "--processes", "1"], environment: ["KEYMILL_NO_LANDLOCK": "1"])
      #expect(work.exitCode == 0)
      #expect(work.errors.split(separator: "\n").count { $0.contains("no Landlock") } == 1)
      #expect(keymill.names(in: "out/clip") == ["manifest.json", "stills"])
    }
  }

  @Test func `who requires the sandbox does not work without Landlock`() throws {
    try withJob { keymill in
      let work = try keymill.run(
        ["work", "--drain", "--require-sandbox"], environment: ["KEYMILL_NO_LANDLOCK": "1"])
      #expect(work.exitCode == 1)
      #expect(work.reason.contains("--require-sandbox: this kernel has no Landlock"))
      #expect(try keymill.jobs("list", "--json").first?["state"] as? String == "available")
    }
  }

  @Test func `a job whose file grows too large fails at once and names the limit`() throws {
    try withJob { keymill in
      let work = try keymill.run("work", "--drain", "--processes", "1", "--max-file", "10k")
      #expect(work.exitCode == 1)
      let job = try #require(try keymill.jobs("list", "--json").first)
      #expect(job["state"] as? String == "failed")
      #expect((job["error"] as? String)?.contains("--max-file allows 10.0 kB") == true)
      #expect(job["attempt"] as? Int == 1)
    }
  }

  @Test func `the feed of events ends when its reader goes away`() throws {
    try withJob { keymill in
      let pipe = Pipe()
      let process = Process()
      process.executableURL = KeymillProcess.executable
      process.arguments = [
        "events", "--follow", "--json", "--db", keymill.path("state/keymill/queue.db"),
      ]
      process.standardOutput = pipe
      try process.run()
      let line = pipe.fileHandleForReading.availableData
      #expect(String(decoding: line, as: UTF8.self).contains(#""event":"submitted""#))
      try pipe.fileHandleForReading.close()
      try pipe.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(process.terminationReason == .exit)
    }
  }
}
