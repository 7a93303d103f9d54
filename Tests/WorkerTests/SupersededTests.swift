import FoundationEssentials
import JobQueue
import Platform
import TestSupport
import Testing

@testable import Worker

/// Jobs that publish to one place, and whose output is there in the end.
@Suite(.temporaryDirectory, .serialized, .timeLimit(.minutes(10))) struct SupersededTests {
  /// Puts the output of job 2, made of the same input, into its place while job 1 still works.
  private func pool() throws -> ScriptedPool {
    let pool = try ScriptedPool(
      // Open before it says that it works: a ring that nobody hears is lost.
      #"stage; exec 4<>"$here/go"; echo x >"$here/working"; head -c 1 <&4 >/dev/null; made"#)
    let mark = Publisher.mark(ofQueue: pool.queue.path)
    try pool.when("working") {
      try Files.removeTree(path("out/clip"))
      try write("newer", to: "out/clip/made")
      try write(
        #"{"job":{"id":2,"queue":"\#(mark)"},"input":{"path":"\#(path("clip.mp4"))"}}"#,
        to: "out/clip/manifest.json")
      try Doorbell(path: path("go")).ring()
    }
    _ = try Doorbell(path: path("go")).listen()
    return pool
  }

  @Test func `an older job that ends late leaves the newer one's output in its place`() throws {
    let pool = try pool()
    try pool.submit()
    try pool.run()
    #expect(try text("out/clip/made") == "newer")
    #expect(try pool.job().state == .completed)
    let event = try #require(try pool.queue.events(of: 1).last)
    #expect(event.detail == "not published: job 2, submitted later, has its place")
    #expect(pool.log.last?.contains("but job 2, submitted later, keeps its place") == true)
    #expect(try names(in: "out") == ["clip"])
  }

  @Test func `a job that was retried after the newer one replaces its output`() throws {
    let pool = try pool()
    try pool.submit()
    try pool.submit("clip") { $0.due = Date() + 3600 }
    _ = try pool.queue.cancel(1, now: Date())
    try pool.queue.retry(1, now: Date() + 1)
    _ = try pool.queue.cancel(2, now: Date())
    try pool.run()
    #expect(try text("out/clip/made") == "attempt 1\n")
  }
}
