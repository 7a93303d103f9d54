import Glibc
import JobQueue
import Platform
import SQLite
import TestSupport
import Testing

@testable import Watch

@Suite(.temporaryDirectory(with: "in"), .timeLimit(.minutes(10)))
struct `Nothing is forgotten` {
  /// How many events the kernel keeps for one who does not read them.
  static let queuedEvents: Int? = {
    let text = try? Files.read("/proc/sys/fs/inotify/max_queued_events")
    return text.flatMap { Int(String(decoding: $0.dropLast(), as: UTF8.self)) }
  }()

  @Test(
    .enabled(if: (queuedEvents ?? .max) <= 32_768, "the kernel keeps too many events to fill"))
  func `a file whose events were lost is found after the overflow`() throws {
    let mill = try Mill()
    try mill.watch()

    // Created, closed, deleted: three events each time.
    for _ in 0...(try #require(Self.queuedEvents) / 3) {
      try makeFile("in/filler")
      try Files.removeFile(path("in/filler"))
    }
    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    #expect(mill.notices == [.overflow, .submitted(name: "clip.mp4", job: 1)])
  }

  @Test func `what no event tells of is found by the rescan`() throws {
    try makeFile("elsewhere.mp4", "one")
    try #require(unsafe symlink(path("elsewhere.mp4"), path("in/clip.mp4")) == 0)
    let mill = try Mill()
    try mill.watch(rescan: .milliseconds(50))
    try mill.run(untilSubmitted: 1)

    try makeFile("elsewhere.mp4", "other")
    try mill.run(untilSubmitted: 2)
  }

  @Test func `a busy queue is waited for and said so once`() throws {
    let mill = try Mill()
    try mill.watch()
    let other = try Connection(path: path("queue.db"), mode: .create, busyTimeout: .zero)
    for name in ["a.mp4", "b.mp4"] { try moveIn("in/" + name) }

    var attempts = 0
    try other.transaction(.immediate) {
      try mill.run { if case .queueWaits = $0 { true } else { false } }
      mill.loop.schedule(after: .milliseconds(300)) { attempts = 1 }
      try mill.loop.run { attempts == 1 }
      #expect(mill.notices.count == 1)
    }
    try mill.run(untilSubmitted: 2)

    #expect(try mill.inputs() == ["a.mp4", "b.mp4"])
  }

  @Test func `a file that no job could be made of is tried again with the rescan`() throws {
    let mill = try Mill()
    var calls = 0
    try mill.watch(
      rescan: .milliseconds(20),
      makeJob: {
        calls += 1
        if calls < 3 { throw NoRecipe() }
        return job($0)
      })

    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    #expect(
      mill.notices == [
        .refused(name: "clip.mp4", reason: "no recipe"), .submitted(name: "clip.mp4", job: 1),
      ])
  }

  @Test func `a file dropped while nobody watched is found by the next start`() throws {
    let mill = try Mill()
    try mill.watch()
    let watcher = try #require(mill.watcher)

    watcher.stop()
    try moveIn("in/clip.mp4")
    try watcher.start(on: mill.loop)
    try mill.run(untilSubmitted: 1)

    #expect(try mill.inputs() == ["clip.mp4"])
  }
}

@Suite(.temporaryDirectory(with: "in"), .timeLimit(.minutes(10)))
struct `The watcher` {
  @Test func `rings the doorbell for a new job`() throws {
    let mill = try Mill()
    let listener = try mill.doorbell.listen()
    try mill.watch()

    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    #expect(try listener.drain())
  }

  @Test func `refuses a directory that is not there`() throws {
    let mill = try Mill()
    try Files.removeTree(path("in"))
    #expect { try mill.watch() } throws: { WatchError.Code.missing ~= $0 }
  }

  @Test func `refuses a file in place of a directory`() throws {
    let mill = try Mill()
    try Files.removeTree(path("in"))
    try makeFile("in")
    #expect { try mill.watch() } throws: { WatchError.Code.notADirectory ~= $0 }
  }

  @Test(
    arguments: [
      { try Files.removeTree(path("in")) }, { try Files.rename(path("in"), to: path("away")) },
    ] as [@Sendable () throws -> Void])
  func `ends the run when the directory goes`(remove: @Sendable () throws -> Void) throws {
    let mill = try Mill()
    try mill.watch()

    try remove()
    #expect { try mill.loop.run() } throws: { WatchError.Code.gone ~= $0 }
  }

  @Test func `ends the run when a directory above it was replaced`() throws {
    let mill = try Mill()
    try Files.removeTree(path("in"))
    try Files.makeDirectory(path("real/drop"))
    try #require(unsafe symlink(path("real/drop"), path("in")) == 0)
    try mill.watch(rescan: .milliseconds(10))

    try Files.rename(path("real"), to: path("away"))
    try Files.makeDirectory(path("real/drop"))
    #expect { try mill.loop.run() } throws: { WatchError.Code.gone ~= $0 }
  }

  @Test func `leaves its loop idle when nobody keeps it`() throws {
    let loop = try EventLoop()
    let store = try JobStore(path: path("queue.db"), role: .supervisor)
    do {
      let watcher = try WatchFolder(
        directory: path("in"), store: store, doorbell: Doorbell(besideQueue: store.path),
        makeJob: { job($0) }, report: { _ in })
      try watcher.start(on: loop)
    }
    #expect(loop.isIdle)
  }
}

private struct NoRecipe: Error, CustomStringConvertible {
  let description = "no recipe"
}
