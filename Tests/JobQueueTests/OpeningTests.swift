import Foundation
@testable import JobQueue
import SQLite
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct OpeningTests {
  private func error(_ body: () throws -> Void) throws -> QueueError {
    let error = try #require(throws: QueueError.self, performing: body)
    #expect(error.description.hasPrefix(queuePath), "an error says where")
    return error
  }

  private func rawConnection() throws -> Connection {
    try Connection(path: queuePath, mode: .create, busyTimeout: .zero)
  }

  @Test func `opening makes the directories on the way`() throws {
    let path = TemporaryDirectory.path + "/a/b/queue.db"
    try JobStore(path: path, role: .client).submit()
    #expect(try JobStore(path: path, role: .reader).list().count == 1)
  }

  /// A URL in it may hold a password.
  @Test func `a new queue and the directories made for it are their owner's alone`() throws {
    let directory = TemporaryDirectory.path + "/a/b"
    let store = try JobStore(path: directory + "/queue.db", role: .client)
    try store.submit()
    for (name, mode) in [("", 0o700), ("/queue.db", 0o600), ("/queue.db-wal", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory + name)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(name)")
    }
  }

  @Test func `looking at a queue that is not there says so, and makes none`() throws {
    #expect(try error { _ = try openStore(.reader) }.code == .missing)
    #expect(!FileManager.default.fileExists(atPath: queuePath))
  }

  @Test(arguments: [JobStore.Role.client, .reader])
  func `a newer file is refused, with both versions`(role: JobStore.Role) throws {
    _ = try openStore()
    try rawConnection().execute("PRAGMA user_version = 99")
    let error = try error { _ = try openStore(role) }
    #expect(error.code == .newerSchema)
    #expect(error.description.contains("format 99, this one knows \(JobStore.schema.version)"))
  }

  @Test func `an empty file becomes a queue`() throws {
    #expect(FileManager.default.createFile(atPath: queuePath, contents: Data()))
    try openStore().submit()
  }

  @Test func `a reader of an empty file finds an empty queue`() throws {
    #expect(FileManager.default.createFile(atPath: queuePath, contents: Data()))
    #expect(try openStore(.reader).list().isEmpty)
  }

  @Test func `the database of another program is refused and left alone`() throws {
    try rawConnection().execute("CREATE TABLE bookmarks (url)")
    #expect(try error { _ = try openStore() }.code == .notAQueue)
    #expect(try rawConnection().integer("SELECT count(*) FROM sqlite_schema") == 1)
    #expect(try rawConnection().first("PRAGMA journal_mode") { $0[0] } == "delete")
  }

  @Test func `a text file is refused`() throws {
    try Data(repeating: 65, count: 5000).write(to: URL(filePath: queuePath))
    #expect(try error { _ = try openStore() }.code == .notAQueue)
  }

  @Test func `a directory is refused`() throws {
    try FileManager.default.createDirectory(atPath: queuePath, withIntermediateDirectories: false)
    let error = try error { _ = try openStore() }
    #expect(error.code == .notAQueue)
    #expect(error.description.contains("not a queue file (a directory); choose another with --db"))
  }

  @Test(arguments: [JobStore.Role.client, .reader])
  func `a device is refused`(role: JobStore.Role) throws {
    #expect { try JobStore(path: "/dev/null", role: role) } throws: {
      QueueError.Code.notAQueue ~= $0 && "\($0)".contains("no regular file")
    }
  }

  @Test func `a path through a file is refused`() throws {
    try Data().write(to: URL(filePath: TemporaryDirectory.path + "/file"))
    let path = TemporaryDirectory.path + "/file/queue.db"
    #expect { try JobStore(path: path, role: .client) } throws: { QueueError.Code.io ~= $0 }
  }

  @Test func `a damaged file is called damaged`() throws {
    let store = try openStore()
    _ = try store.submit((0..<1000).map { newJob("\($0).mp4") }, now: start)
    _ = try store.checkpoint()
    var bytes = try Data(contentsOf: URL(filePath: queuePath))
    bytes.replaceSubrange(4096..., with: Data(repeating: 0x5A, count: bytes.count - 4096))
    try bytes.write(to: URL(filePath: queuePath))
    #expect(try error { _ = try openStore().list() }.code == .corrupt)
  }

  @Test func `a full disk fails the submit, loses nothing, and the next one works`() throws {
    let store = try openStore()
    let kept = try store.submit()
    let pages = try store.connection.integer("PRAGMA page_count")
    try store.connection.execute("PRAGMA max_page_count = \(pages + 2)")
    let jobs = (0..<1000).map { newJob("\($0).mp4") }
    #expect(try error { _ = try store.submit(jobs, now: start) }.code == .full)
    #expect(try store.list().map(\.id) == [kept])
    try store.connection.execute("PRAGMA max_page_count = 100000")
    #expect(try store.submit(jobs, now: start).count == 1000)
  }

  @Test func `a queue that was deleted while in use is not written to in secret`() throws {
    let store = try openStore()
    try store.submit()
    try FileManager.default.removeItem(atPath: queuePath)
    #expect(try error { try store.submit() }.code == .moved)
  }

  @Test func `what waits too long for the lock is told who to look for`() throws {
    _ = try openStore()
    let holder = try rawConnection()
    let store = try openStore(.supervisor)
    try holder.transaction(.immediate) {
      let error = try error { try store.submit() }
      #expect(error.code == .busy)
    }
    try store.submit()
  }

  @Test(arguments: [JobStore.Role.client, .supervisor, .reader])
  func `opening a queue does not wait for the one who writes to it`(role: JobStore.Role) throws {
    _ = try openStore()
    try rawConnection().transaction(.immediate) {
      let jobs = try openStore(role).list()
      #expect(jobs.isEmpty)
    }
  }

  @Test func `a queue locked for a while does not fail a submit`() throws {
    let store = try openStore()
    try whileLocked { try store.submit() }
    #expect(try store.list().count == 1)
  }

  @Test(arguments: [JobStore.Role.client, .supervisor, .reader])
  func `opening a file that others are making a queue waits for them`(
    role: JobStore.Role
  ) throws {
    // Without a write-ahead log yet, the one who writes keeps all others out.
    #expect(FileManager.default.createFile(atPath: queuePath, contents: Data()))
    let store = try whileLocked { try openStore(role) }
    #expect(try store.list().isEmpty)
  }

  /// Runs `body` while another connection holds the file for itself, which ends a while later.
  @discardableResult
  private func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    let path = queuePath
    let isLocked = DispatchSemaphore(value: 0)
    let isReleased = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      defer { isReleased.signal() }
      let holder = try? Connection(path: path, mode: .readWrite, busyTimeout: .zero)
      try? holder?.execute("BEGIN EXCLUSIVE")
      isLocked.signal()
      // The while itself: longer than a supervisor would wait.
      Thread.sleep(forTimeInterval: 0.2)
      try? holder?.execute("COMMIT")
    }
    isLocked.wait()
    defer { isReleased.wait() }
    return try body()
  }

  @Test func `submits and ends wait for the disk, claims and progress do not`() throws {
    let store = try openStore()
    func synchronous() throws -> Int64 { try store.connection.integer("PRAGMA synchronous") }
    try store.submit()
    #expect(try synchronous() == 2)
    let lease = try #require(try store.claimLease())
    #expect(try synchronous() == 1)
    try store.finish(lease, as: .completed(Completion()), now: start)
    #expect(try synchronous() == 2)
  }
}
