import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("DirectoryWatch", .temporaryDirectory, .timeLimit(.minutes(10)))
struct DirectoryWatchTests {
  /// All events up to the first of a kind.
  ///
  /// Waits for it: a file that another test's child inherited for a moment is closed for good only
  /// when that child has begun its own program.
  private func events(
    _ watch: DirectoryWatch, upTo kind: DirectoryWatch.Event.Kind
  ) throws -> [DirectoryWatch.Event] {
    var events: [DirectoryWatch.Event] = []
    let loop = try EventLoop()
    try loop.add(watch.descriptor) { _ in events += try watch.read() }
    try loop.run { events.contains { $0.kind == kind } }
    return events
  }

  @Test func `a file that is written is created and closed`() throws {
    let watch = try DirectoryWatch(directory)
    #expect(try watch.read() == [])
    try makeFile("%d:é -x.mp4")
    let seen = try events(watch, upTo: .closedAfterWriting)
    #expect(seen.map(\.kind) == [.created, .closedAfterWriting])
    #expect(Set(seen.map(\.name)) == ["%d:é -x.mp4"])
    _ = try Files.read(path("%d:é -x.mp4"))
    #expect(try watch.read() == [])
  }

  @Test func `names that are canonically equal keep their bytes`() throws {
    let watch = try DirectoryWatch(directory)
    let names = ["e\u{301}", "\u{E9}"]
    for name in names { try Files.makeDirectory(path(name)) }
    #expect(try watch.read().map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
  }

  @Test func `moves and removals are told apart`() throws {
    try Files.makeDirectory(path("in"))
    let watch = try DirectoryWatch(path("in"))
    try makeFile("a.mp4")
    try Files.rename(path("a.mp4"), to: path("in/a.mp4"))
    try Files.rename(path("in/a.mp4"), to: path("b.mp4"))
    try Files.makeDirectory(path("in/sub"))
    try Files.removeTree(path("in/sub"))
    let events = try watch.read()
    #expect(events.map(\.kind) == [.movedIn, .movedOut, .created, .deleted])
    #expect(events.map(\.isDirectory) == [false, false, true, true])
  }

  @Test func `the end of the directory is reported`() throws {
    try Files.makeDirectory(path("in"))
    let watch = try DirectoryWatch(path("in"))
    try Files.removeTree(path("in"))
    #expect(try watch.read().map(\.kind) == [.directoryGone])
  }

  @Test func `a name that is not UTF-8 is marked`() throws {
    let watch = try DirectoryWatch(directory)
    let name = Array(path("bad-").utf8).map(CChar.init(bitPattern:)) + [-1, 0]
    // The array ends with the null that the call looks for.
    try #require(unsafe mkdir(name, 0o700) == 0)
    let event = try #require(try watch.read().first)
    #expect(!event.isNameExact)
    #expect(event.name == "bad-\u{FFFD}")
  }

  @Test func `more events than one read holds all come, in order`() throws {
    let watch = try DirectoryWatch(directory)
    let names = (0..<500).map { String(repeating: "x", count: 200) + "\($0)" }
    for name in names { try Files.makeDirectory(path(name)) }
    #expect(try watch.read().map(\.name) == names)
  }

  @Test func `an overflow of the kernel's list is reported`() {
    let record: [UInt8] = [255, 255, 255, 255, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(DirectoryWatch.Event.parse(record).map(\.kind) == [.overflow])
    #expect(DirectoryWatch.Event.parse(Array(record.prefix(15))) == [])
  }

  @Test func `only directories can be watched`() throws {
    try makeFile("file")
    let error = #expect(throws: PlatformError.self) { try DirectoryWatch(path("file")) }
    #expect(error?.code == .notDirectory)
    #expect(error?.subject == path("file"))
  }
}
