import Glibc
import Platform
import TestSupport
import Testing

@testable import Watch

@Suite(.temporaryDirectory(with: "in"), .timeLimit(.minutes(10)))
struct `What is never taken` {
  @Test(arguments: [
    (".clip.mp4", IgnoreReason.hidden), (".clip.mp4.Xa31bc", .hidden),
    ("clip.mp4.part", .unfinished), ("clip.mp4.crdownload", .unfinished),
    ("clip.mp4.TMP", .unfinished), ("clip.mp4~", .unfinished),
  ])
  func `a file by an unfinished name is ignored once, and taken under its final one`(
    name: String, reason: IgnoreReason
  ) throws {
    let mill = try Mill()
    try mill.watch()

    try makeFile("in/" + name)
    try makeFile("in/" + name, "more")
    try makeFile("in/later.mp4")
    try mill.run(untilSubmitted: 1)
    #expect(
      mill.notices == [
        .ignored(name: name, reason), .submitted(name: "later.mp4", job: 1),
      ])

    try Files.rename(path("in/" + name), to: path("in/clip.mp4"))
    try mill.run(untilSubmitted: 2)
    #expect(try mill.inputs() == ["later.mp4", "clip.mp4"])
  }

  @Test func `directories, outputs among them, and FIFOs are ignored`() throws {
    try Files.makeDirectory(path("in/old-output"))
    try makeFile("in/old-output/manifest.json")
    let mill = try Mill()
    try mill.watch()

    try Files.makeDirectory(path("staging"))
    try makeFile("staging/manifest.json")
    try Files.rename(path("staging"), to: path("in/output"))
    try #require(unsafe mkfifo(path("in/fifo.mp4"), 0o600) == 0)
    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    #expect(
      mill.notices == [
        .ignored(name: "old-output", .directory), .ignored(name: "output", .directory),
        .ignored(name: "fifo.mp4", .notAFile), .submitted(name: "clip.mp4", job: 1),
      ])
  }

  @Test func `the queue's own files and excluded ones are ignored in the watched directory`()
    throws
  {
    try makeFile("in/recipe.json")
    let mill = try Mill(queue: "in/queue.db")
    try mill.watch(excluded: [path("in/recipe.json")])

    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    #expect(try mill.inputs() == ["clip.mp4"])
    #expect(mill.notices.contains(.ignored(name: "recipe.json", .excluded)))
  }

  @Test func `a file of an excluded one's name elsewhere does not exclude`() throws {
    try makeFile("recipe.json")
    let mill = try Mill()
    try mill.watch(excluded: [path("recipe.json")])

    try moveIn("in/recipe.json")
    try mill.run(untilSubmitted: 1)
  }

  @Test(arguments: [false, true])
  func `a name that is not UTF-8 is ignored`(wasThere: Bool) throws {
    let bytes = Array((path("in/") + "x").utf8) + [0xff] + Array(".mp4\0".utf8)
    let name = bytes.map(CChar.init(bitPattern:))
    func makeInexact() throws {
      let file = unsafe creat(name, 0o600)
      try #require(file >= 0)
      try FileDescriptor(owning: file).close()
    }
    let mill = try Mill()
    if wasThere { try makeInexact() }
    try mill.watch()
    if !wasThere { try makeInexact() }

    try mill.run { $0 == .ignored(name: "x\u{FFFD}.mp4", .notUTF8) }
  }

  @Test func `names with the same letters and other bytes are different`() {
    #expect(FileName("caf\u{E9}.mp4") != FileName("cafe\u{301}.mp4"))
    #expect(FileName("caf\u{E9}.mp4") == FileName("caf\u{E9}.mp4"))
  }

  @Test func `a notice is one line whatever the file is called`() {
    let notice = WatchNotice.submitted(name: "a\nb\u{1B}[2Jé.mp4", job: 7)
    #expect(notice.description == #"a\nb\u{1B}[2Jé.mp4: job 7"#)
  }
}
