import JobQueue
import Platform
import TestSupport
import Testing

@testable import Watch

@Suite(.temporaryDirectory(with: "in"), .timeLimit(.minutes(10)))
struct `Each version once` {
  @Test func `files that are there at the start are submitted`() throws {
    for name in ["b.mp4", "a.mp4", "c.mp4"] { try makeFile("in/" + name) }
    let mill = try Mill()
    try mill.watch()

    try mill.run(untilSubmitted: 3)

    #expect(try mill.inputs() == ["a.mp4", "b.mp4", "c.mp4"])
  }

  @Test func `a restart does not submit again`() throws {
    try makeFile("in/clip.mp4")
    let first = try Mill()
    try first.watch()
    try first.run(untilSubmitted: 1)

    let second = try Mill()
    try second.watch()
    try moveIn("in/later.mp4")
    try second.run(untilSubmitted: 1)

    #expect(try second.inputs() == ["clip.mp4", "later.mp4"])
    #expect(second.notices.contains(.alreadySubmitted(name: "clip.mp4", job: 1)))
  }

  @Test func `two watchers of a directory make one job of a file`() throws {
    let mills = [try Mill(), try Mill()]
    for mill in mills { try mill.watch() }

    try moveIn("in/clip.mp4")
    for mill in mills {
      try mill.run { if case .submitted = $0 { true } else { $0.isAlreadySubmitted } }
    }

    #expect(try mills[0].inputs() == ["clip.mp4"])
  }

  @Test func `watchers with different recipes each make a job of a file`() throws {
    let mills = [try Mill(), try Mill()]
    try mills[0].watch(recipe: "one")
    try mills[1].watch(recipe: "two")

    try moveIn("in/clip.mp4")
    for mill in mills { try mill.run(untilSubmitted: 1) }

    #expect(try mills[0].store.list().map(\.recipe.name).sorted() == ["one", "two"])
  }

  @Test(arguments: [moveIn, makeFile] as [@Sendable (String, String) throws -> Void])
  func `a new version of a file is a new job, even of one that is to be unique`(
    replace: @Sendable (String, String) throws -> Void
  ) throws {
    let mill = try Mill()
    try mill.watch(makeJob: {
      var job = job($0)
      job.isUnique = true
      return job
    })
    try replace("in/clip.mp4", "one")
    try mill.run(untilSubmitted: 1)

    try replace("in/clip.mp4", "other")
    try mill.run(untilSubmitted: 2)

    #expect(try mill.inputs() == ["clip.mp4", "clip.mp4"])
  }

  @Test func `opening a submitted file for writing without a change is nothing new`() throws {
    let mill = try Mill()
    try mill.watch()
    try moveIn("in/clip.mp4")
    try mill.run(untilSubmitted: 1)

    do { _ = try FileDescriptor.open(path("in/clip.mp4"), .append) }
    try moveIn("in/later.mp4")
    try mill.run(untilSubmitted: 2)

    #expect(try mill.inputs() == ["clip.mp4", "later.mp4"])
  }

  @Test func `five hundred files dropped at once become five hundred jobs`() throws {
    let mill = try Mill()
    try mill.watch()
    let names = (0..<500).map { "clip \($0).mp4" }

    for name in names { try makeFile("in/" + name) }
    try mill.run(untilSubmitted: 500)

    #expect(try mill.inputs().sorted() == names.sorted())
  }

  @Test(arguments: [
    "two words.mp4", "100%d.mp4", "at 12:30.mp4", "-i.mp4", "--", "quote'\".mp4", "na\u{EF}ve.mp4",
    "line\nbreak.mp4", "back\\slash.mp4", "[a-z]*?.mp4", "emoji \u{1F41D}.mp4",
  ])
  func `a file of any name is submitted by it`(name: String) throws {
    let mill = try Mill()
    try mill.watch()

    try makeFile("in/" + name)
    try mill.run(untilSubmitted: 1)

    #expect(try mill.inputs() == [name])
  }
}

extension WatchNotice {
  var isAlreadySubmitted: Bool { if case .alreadySubmitted = self { true } else { false } }
}
