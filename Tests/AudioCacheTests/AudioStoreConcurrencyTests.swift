import AudioCache
import Digests
import Platform
import Synchronization
import Testing

/// Puts contents 0..<20 into the store in an order of the caller's own, each from a new file.
private func insertAll(in directory: String, as name: String, from start: Int) throws {
  let store = AudioStore(root: directory + "/cache")
  for step in 0..<20 {
    let number = (start + step) % 20
    let path = "\(directory)/out/\(name)-\(number)"
    try AtomicFile.write("track \(number)", to: path)
    _ = try store.insert(fileAt: path, fileExtension: "mp3")
  }
}

/// Tells a thread that there is no more to see.
private final class Ending: Sendable { let isHere = Atomic(false) }

@Suite(.timeLimit(.minutes(10))) struct AudioStoreConcurrencyTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test func `threads that bring the same contents make one file of each`() async throws {
    let directory = fixture.directory
    try await withThrowingTaskGroup { group in
      for thread in 0..<4 {
        group.addTask { @concurrent in
          try insertAll(in: directory, as: "thread-\(thread)", from: thread * 5)
        }
      }
      try await group.waitForAll()
    }
    try expectWholeStore(with: 80)
  }

  @Test func `processes that bring the same contents make one file of each`() async throws {
    let directory = fixture.directory
    await withTaskGroup { group in
      for process in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [directory = directory as String, process = process as Int] in
            try insertAll(in: directory, as: "process-\(process)", from: process * 5)
          }
        }
      }
    }
    try expectWholeStore(with: 80)
  }

  @Test func `a damaged file that is put in again is there all the time`() async throws {
    let (store, output) = (fixture.store, try fixture.output("a", "song"))
    let path = try store.insert(fileAt: output, fileExtension: "mp3").track.path
    let ending = Ending()
    try await withThrowingTaskGroup { group in
      group.addTask { @concurrent in
        while !ending.isHere.load(ordering: .relaxed) {
          #expect((try? FileStatus(path)) != nil)
        }
      }
      for number in 0..<50 {
        // A file of its own: one that is linked with the output would damage that as well.
        try AtomicFile.write("rot!", to: path)
        let other = try fixture.output("\(number)", "song")
        #expect(try store.insert(fileAt: other, fileExtension: "mpga").track.path == path)
      }
      ending.isHere.store(true, ordering: .relaxed)
      try await group.waitForAll()
    }
    #expect(try store.verify().isClean)
    #expect(try store.tracks().count == 1)
  }

  private func expectWholeStore(with outputCount: Int) throws {
    let tracks = try fixture.store.tracks()
    #expect(Set(tracks.map(\.digest)) == Set((0..<20).map { digest(of: "track \($0)") }))
    #expect(tracks.count == 20)
    #expect(try fixture.store.verify().isClean)
    #expect(try fixture.incoming.isEmpty)
    let outputs = try Files.list(fixture.directory + "/out")
    #expect(outputs.count == outputCount)
    for name in outputs {
      let number = try #require(name.split(separator: "-").last)
      #expect(try content(of: "\(fixture.directory)/out/\(name)") == "track \(number)")
    }
  }
}
