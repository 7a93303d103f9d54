import Foundation
import JobQueue
import TestSupport
import Testing

/// What becomes of the file under an open queue.
@Suite(.temporaryDirectory) struct FileCheckTests {
  private func code(_ store: JobStore) -> QueueError.Code? {
    do {
      try store.checkFile()
      return nil
    } catch {
      return (error as? QueueError)?.code
    }
  }

  @Test func `a file that is used as it should be passes`() throws {
    let store = try openStore()
    #expect(code(store) == nil)
    try store.submit()
    try store.checkpoint()
    #expect(code(store) == nil)
  }

  @Test func `a deleted file is noticed`() throws {
    let store = try openStore()
    try FileManager.default.removeItem(atPath: queuePath)
    #expect(code(store) == .moved)
  }

  @Test func `a file that was replaced is noticed`() throws {
    let store = try openStore()
    try Data("another".utf8).write(to: URL(filePath: queuePath), options: .atomic)
    #expect(code(store) == .moved)
  }

  @Test func `a file that was cut off is noticed`() throws {
    let store = try openStore()
    try store.submit()
    try store.checkpoint()
    #expect(code(store) == nil)
    try FileHandle(forWritingTo: URL(filePath: queuePath)).truncate(atOffset: 0)
    #expect(code(store) == .corrupt)
  }

  @Test func `a file that was overwritten is noticed`() throws {
    let store = try openStore()
    try store.submit()
    try store.checkpoint()
    #expect(code(store) == nil)
    let size = try Data(contentsOf: URL(filePath: queuePath)).count
    try FileHandle(forWritingTo: URL(filePath: queuePath))
      .write(contentsOf: Data(repeating: 0x5a, count: size))
    #expect(code(store) == .notAQueue || code(store) == .corrupt)
  }
}

@Suite(.temporaryDirectory) struct CompletionTests {
  @Test func `a completion's frames and note are kept, and whose attempt it was`() throws {
    let store = try openStore()
    let id = try store.submit()
    let lease = try #require(try store.claimLease())
    let completion = Completion(frames: 90, note: "found whole in its place")
    try store.finish(lease, as: .completed(completion), now: start)
    #expect(try store.job(id)?.progress.frames == 90)
    #expect(try store.job(id)?.error == nil)
    #expect(try store.events(of: id).last?.detail == "found whole in its place")
    #expect(try store.attempts(of: id).map(\.ownerPID) == [supervisor.pid])
  }
}
