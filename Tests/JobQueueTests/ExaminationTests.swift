import Foundation
import SQLite
import TestSupport
import Testing

@testable import JobQueue

@Suite(.temporaryDirectory) struct ExaminationTests {
  /// A store with a job in each state, and what is done to its file behind its back.
  private func store(spoiled sql: String = "") throws -> JobStore {
    let store = try openStore()
    for state in JobState.allCases { _ = try store.makeJob(in: state) }
    try store.connection.execute(sql)
    return store
  }

  private func kinds(_ store: JobStore, bootNow: Int64 = 0) throws -> Set<Finding.Kind> {
    Set(try store.examine(bootNow: bootNow) { _ in true }.map(\.kind))
  }

  private func repair(_ store: JobStore, bootNow: Int64 = 0) throws -> [Finding] {
    try store.repair(bootNow: bootNow, now: start) { _ in true }
  }

  @Test func `a queue in use has nothing wrong with it`() throws {
    let store = try store()
    #expect(try kinds(store) == [])
    #expect(try repair(store) == [])
  }

  @Test func `a job whose lease ran out is found and taken back`() throws {
    let store = try store()
    let finding = try #require(try store.examine(bootNow: 32_000) { _ in true }.first)
    #expect(finding.kind == .lease)
    #expect(finding.description.contains("its lease ran out 2 s ago"))
    #expect(try repair(store, bootNow: 32_000) == [])
    #expect(try store.stats().count(.running) == 0)
  }

  @Test func `a job of a dead supervisor is found and taken back`() throws {
    let store = try store()
    #expect(try store.examine(bootNow: 0) { _ in false }.map(\.kind) == [.lease])
    #expect(try store.repair(bootNow: 0, now: start) { _ in false } == [])
  }

  @Test func `counters that are off are found and counted anew`() throws {
    let store = try store(
      spoiled: "UPDATE counter SET value = 9 WHERE name IN ('completed', 'failed')")
    let right = try JobState.allCases.map { try openStore().list(in: $0).count }
    #expect(try kinds(store) == [.counter])
    #expect(try repair(store) == [])
    #expect(try JobState.allCases.map(store.stats().count) == right)
    try store.submit()
  }

  @Test func `a blocked job that waits for nobody is found and let go`() throws {
    let store = try store()
    let blocked = try #require(try store.list(in: .blocked).first).id
    let parent = try #require(try store.list(in: .available).first { $0.queue == "parents" }).id
    // The parent ends as by an older version, which told nobody.
    try store.connection.execute(
      "UPDATE job SET state = 4, finished_at = 0 WHERE id = \(parent)")
    #expect(try kinds(store) == [.dependency, .counter])
    #expect(try repair(store) == [])
    #expect(try store.job(blocked)?.state == .available)
  }

  @Test func `a blocked job whose parent failed is found and fails`() throws {
    let store = try store()
    let blocked = try #require(try store.list(in: .blocked).first).id
    let parent = try #require(try store.list(in: .available).first { $0.queue == "parents" }).id
    try store.connection.execute(
      "UPDATE job SET state = 5, finished_at = 0 WHERE id = \(parent)")
    #expect(try repair(store) == [])
    #expect(try store.job(blocked)?.state == .failed)
  }

  @Test func `a schedule that cannot be read is found and not repaired`() throws {
    let store = try store()
    let cron = try CronExpression("@daily")
    try store.addSchedule(NewSchedule(name: "radio", cron: cron, job: newJob()), now: start)
    try store.connection.execute("UPDATE schedule SET cron = 'daily'")
    #expect(try kinds(store) == [.schedule])
    #expect(try repair(store).map(\.kind) == [.schedule])
  }

  @Test func `an index that lost a row is found and built anew`() throws {
    let store = try store()
    let rows = "(SELECT rootpage FROM sqlite_schema WHERE name = 'job_ready')"
    // An index on nothing in the place of the real one.
    try store.connection.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX job_ready ON job (queue, priority DESC, id) WHERE state = 9'
        WHERE rootpage = \(rows);
      PRAGMA writable_schema = RESET;
      REINDEX job_ready;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX job_ready ON job (queue, priority DESC, id) WHERE state = 2'
        WHERE name = 'job_ready';
      PRAGMA writable_schema = RESET;
      """)
    #expect(try kinds(store) == [.index])
    #expect(try repair(store) == [])
    #expect(try store.claimNext() != nil)
  }

  @Test func `a swollen log is found and emptied`() throws {
    let store = try store()
    // A reader that stands still keeps the log from being started anew.
    let reader = try Connection(path: queuePath, mode: .readOnly, busyTimeout: .zero)
    try reader.transaction(.deferred) {
      _ = try reader.integer("SELECT count(*) FROM job")
      let text = String(repeating: "x", count: 1 << 20)
      for number in 0..<100 { try store.setSetting("large \(number)", to: text) }
      #expect(try kinds(store) == [.log])
    }
    #expect(try repair(store) == [])
  }

  @Test func `a damaged page is found and not repaired`() throws {
    let store = try store()
    _ = try store.submit((0..<1000).map { newJob("\($0).mp4") }, now: start)
    _ = try store.checkpoint()
    let root = try store.connection.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'event'")
    let file = try FileHandle(forUpdating: URL(filePath: queuePath))
    try file.seek(toOffset: UInt64(root - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
    try file.close()
    let other = try openStore(.reader)
    #expect(try other.examine(bootNow: 0) { _ in true }.contains { $0.kind == .damage })
  }
}

extension JobStore {
  fileprivate func list(in state: JobState) throws -> [Job] {
    var filter = JobFilter()
    filter.states = [state]
    return try list(filter)
  }
}
