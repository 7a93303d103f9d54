import Glibc
import JobQueue
import Platform
import TestSupport
import Testing

@testable import Watch

@Suite(.temporaryDirectory(with: "in"), .timeLimit(.minutes(10)))
struct `When a file is complete` {
  @Test func `a file moved in is submitted by its absolute path`() throws {
    let mill = try Mill()
    try mill.watch()

    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    let jobs = try mill.store.list()
    #expect(jobs.map(\.input) == [path("in/clip.mp4")])
    #expect(mill.notices == [.submitted(name: "clip.mp4", job: 1)])
  }

  @Test func `a copy that pauses for longer than settling waits for its writer's close`() throws {
    let mill = try Mill()
    try mill.watch()

    do {
      let copy = try FileDescriptor.open(path("in/clip.mp4"), .write)
      try copy.writeAll("first half")
      try mill.run { $0 == .waiting(name: "clip.mp4", .beingWritten) }
      // A file that comes later overtakes it: it was examined, and not taken.
      try moveIn("in/other.mp4")
      try mill.run(untilSubmitted: 1)
      #expect(try mill.inputs() == ["other.mp4"])
      try copy.writeAll("second half")
    }
    try mill.run(untilSubmitted: 2)

    #expect(try mill.inputs() == ["other.mp4", "clip.mp4"])
    #expect(mill.notices.count == 3)
  }

  @Test func `a file that changes while it settles is submitted in its last version`() throws {
    let mill = try Mill()
    try mill.watch(settle: .milliseconds(60))
    var changed = false
    mill.loop.schedule(after: .milliseconds(30)) {
      // Tells no event, as a change through another name would not.
      changed = unsafe utimes(path("in/clip.mp4"), nil) == 0
    }
    try moveIn("in/clip.mp4")

    try mill.run(untilSubmitted: 1)
    #expect(changed)
    let again = try Mill()
    try again.watch()
    try again.run { $0 == .alreadySubmitted(name: "clip.mp4", job: 1) }
  }

  @Test func `an empty file waits for its content`() throws {
    let mill = try Mill()
    try mill.watch()

    try makeFile("in/clip.mp4", "")
    try mill.run { $0 == .waiting(name: "clip.mp4", .empty) }
    #expect(try mill.inputs().isEmpty)

    try makeFile("in/clip.mp4", "content")
    try mill.run(untilSubmitted: 1)
  }

  @Test func `without leases a new file waits for its close`() throws {
    let mill = try Mill()
    try mill.watch(writers: { _ in .unknown })

    do {
      let copy = try FileDescriptor.open(path("in/clip.mp4"), .write)
      try copy.writeAll("first half")
      try mill.run { $0 == .waiting(name: "clip.mp4", .beingWritten) }
      #expect(try mill.inputs().isEmpty)
    }
    try mill.run(untilSubmitted: 1)
  }

  @Test func `without leases a file that was there or is linked in only has to stand still`()
    throws
  {
    try makeFile("in/old.mp4")
    try makeFile("elsewhere.mp4")
    let mill = try Mill()
    try mill.watch(writers: { _ in .unknown })

    try #require(unsafe link(path("elsewhere.mp4"), path("in/hard.mp4")) == 0)
    try #require(unsafe symlink(path("elsewhere.mp4"), path("in/soft.mp4")) == 0)
    try mill.run(untilSubmitted: 3)

    #expect(Set(try mill.inputs()) == ["old.mp4", "hard.mp4", "soft.mp4"])
  }

  @Test func `a file that cannot be read is said so and holds nothing up`() throws {
    let mill = try Mill()
    try mill.watch()

    try #require(unsafe symlink("circle.mp4", path("in/circle.mp4")) == 0)
    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    let reason = ErrorCode.symbolicLink.description
    #expect(mill.notices.contains(.waiting(name: "circle.mp4", .unreadable(reason))))
  }

  @Test func `a file that is gone before it settled leaves no trace`() throws {
    let mill = try Mill()
    try mill.watch()

    try moveIn("in/gone.mp4")
    try Files.removeFile(path("in/gone.mp4"))
    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    #expect(try mill.inputs() == ["clip.mp4"])
    #expect(mill.notices.count == 1)
  }
}
