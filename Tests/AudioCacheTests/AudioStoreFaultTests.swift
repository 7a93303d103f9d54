@testable import AudioCache
import Digests
import Glibc
import Platform
import Testing

/// What a store makes of crashes, bad disks and other file systems.
@Suite struct AudioStoreFaultTests {
  private static let otherFileSystem = "/dev/shm"

  private let fixture: StoreFixture
  private var store: AudioStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  @Test func `bit rot is found`() throws {
    let sound = try store.insert(fileAt: fixture.output("a", "sound"), fileExtension: "wav").track
    let rotten = try store.insert(fileAt: fixture.output("b", "music"), fileExtension: "mp3").track
    try damage(rotten.path, with: "mus1c")
    let result = try store.verify()
    #expect(result.trackCount == 2)
    #expect(result.byteCount == 10)
    #expect(
      result.faults == [
        Verification.Fault(path: rotten.path, kind: .wrongContent(actual: digest(of: "mus1c")))
      ])
    #expect(try content(of: sound.path) == "sound")
  }

  @Test func `bit rot in the store does not spread to a file of the same content`() throws {
    let stored = try store.insert(fileAt: fixture.output("a", "music"), fileExtension: "mp3").track
    let path = try fixture.output("b", "music")
    try damage(stored.path, with: "mus1c")
    let insertion = try store.insert(fileAt: path, digest: stored.digest, fileExtension: "mp3")
    #expect(insertion.isNew)
    #expect(try content(of: path) == "music")
    #expect(try store.verify().isClean)
  }

  @Test func `what is no track or is in the wrong shard is found`() throws {
    let track = try store.insert(fileAt: fixture.output("a", "sound"), fileExtension: "wav").track
    let shard = Files.parent(of: track.path)
    let wrongShard = store.root + (shard.hasSuffix("00") ? "/01" : "/00")
    try Files.makeDirectory(wrongShard)
    let moved = "\(wrongShard)/\(Files.name(of: track.path))"
    try Files.rename(track.path, to: moved)
    try AtomicFile.write("notes", to: shard + "/notes.txt")
    let faults = Set(try store.verify().faults)
    #expect(
      faults == [
        Verification.Fault(path: moved, kind: .misplaced),
        Verification.Fault(path: shard + "/notes.txt", kind: .misplaced),
      ])
    #expect(try store.lookup(track.digest) == nil)
  }

  @Test func `what an ended process left on its way in is swept and nothing else`() async throws {
    let incoming = store.root + "/incoming"
    try Files.makeDirectory(incoming)
    let alive = "\(try StoreUser.current)#1"
    try AtomicFile.write("half", to: "\(incoming)/\(alive)")
    try AtomicFile.write("mine", to: incoming + "/notes.txt")
    await #expect(processExitsWith: .signal(SIGKILL)) { [incoming = incoming as String] in
      try AtomicFile.write("half", to: "\(incoming)/\(StoreUser.current)#1")
      raise(SIGKILL)
    }
    #expect(try fixture.incoming.count == 3)
    #expect(try store.sweep() == 1)
    #expect(try fixture.incoming.sorted() == [alive, "notes.txt"].sorted())
  }

  @Test(
    .enabled(
      if: (try? FileStatus(otherFileSystem).device) != (try? FileStatus("/tmp").device),
      "there is a second file system to try"))
  func `a file on another file system is copied and left as it is`() throws {
    let elsewhere = try StoreFixture(in: Self.otherFileSystem)
    let path = try elsewhere.output("a.mp3", "music")
    try Files.setPermissions(path, 0o640)
    for isNew in [true, false] {
      let insertion = try store.insert(fileAt: path, fileExtension: "mp3")
      #expect(insertion.isNew == isNew)
      #expect(insertion.sharing == .copy)
      #expect(try content(of: insertion.track.path) == "music")
      #expect(try content(of: path) == "music")
      #expect(try FileStatus(path).permissions == 0o640)
    }
    #expect(try Files.list(elsewhere.directory + "/out") == ["a.mp3"])
  }

  @Test func `a root that is no directory is an error and the file stays`() throws {
    let path = try fixture.output("a.mp3", "music")
    try AtomicFile.write("", to: store.root)
    let error = #expect(throws: AudioStoreError.self) {
      try store.insert(fileAt: path, fileExtension: "mp3")
    }
    guard case .system(let cause) = error else {
      Issue.record("\(String(describing: error)) is of the system")
      return
    }
    #expect(cause.code == .notDirectory)
    #expect(try content(of: path) == "music")
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write anywhere"))
  func `a root that may not be written to is an error and the file stays`() throws {
    let path = try fixture.output("a.mp3", "music")
    try Files.makeDirectory(store.root, permissions: 0o500)
    let error = #expect(throws: AudioStoreError.self) {
      try store.insert(fileAt: path, fileExtension: "mp3")
    }
    guard case .system(let cause) = error else {
      Issue.record("\(String(describing: error)) is of the system")
      return
    }
    #expect(cause.isPermission)
    #expect(try content(of: path) == "music")
    #expect(try FileStatus(path).permissions & 0o200 != 0)
  }
}
