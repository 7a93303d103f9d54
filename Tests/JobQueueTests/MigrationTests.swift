import Foundation
import SQLite
import TestSupport
import Testing

@testable import JobQueue

@Suite(.temporaryDirectory) struct MigrationTests {
  /// A store on a file of the first format.
  private func storeFromVersion1(_ role: JobStore.Role = .client) throws -> JobStore {
    let old = try Connection(path: queuePath, mode: .create, busyTimeout: .zero)
    try old.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try old.execute(version1File)
    return try openStore(role)
  }

  @Test(arguments: [JobStore.Role.client, .reader])
  func `a file of the first format keeps its jobs`(role: JobStore.Role) throws {
    let store = try storeFromVersion1(role)
    let jobs = try store.list().sorted { $0.id < $1.id }
    #expect(jobs.map(\.id) == Array(2...10))
    #expect(
      jobs.map(\.state) == [
        .completed, .failed, .failed, .running, .blocked, .scheduled, .available, .available,
        .cancelled,
      ])
    let done = jobs[0]
    #expect((done.input, done.output, done.batch) == ("done.mp4", "out/done", "monday"))
    #expect((done.isPartial, done.warnings, done.crashes) == (true, 3, 1))
    #expect((done.timeout, done.createdAt, done.finishedAt) == (.seconds(90), start, start + 3))
    #expect(try store.result(of: 2) == #"{"files":[]}"#)
    #expect(jobs[3].progress.frames == 45)
    #expect(jobs[7].recipe.name == "sprite-2")
    #expect(try store.setting("theme") == "dark")
    #expect(try store.queues().first { $0.name == "slow" }?.maxRunning == 2)
  }

  @Test func `attempts and events of the first format tell the same story`() throws {
    let store = try storeFromVersion1()
    let attempts = try store.attempts(of: 2)
    #expect(attempts.map(\.outcome) == [.crashed, .completed])
    #expect(attempts.map(\.startedAt) == [start + 1, start + 1])
    #expect(attempts.map(\.endedAt) == [start + 2, start + 3])
    #expect(attempts[0].error == "signal 11")
    let report = AttemptReport(
      pid: 7, signal: 11, cpuTime: .milliseconds(1500), peakRSS: 1 << 20, logTail: "decoder: oh")
    #expect(attempts[0].report == report)
    #expect(
      try store.events(of: 2).map(\.kind) == [
        .submitted, .claimed, .crashed, .claimed, .completed,
      ])
    #expect(try store.attempts(of: 5).map(\.outcome) == [nil])
    #expect(try store.events(after: 0).map(\.id) == Array(3...20))
  }

  @Test func `the jobs of the first format go on`() throws {
    let store = try storeFromVersion1()
    let lease = try #require(try store.job(5)?.lease)
    #expect(try store.finish(lease, as: .failed("no", .permanent), now: start) == .failed)
    #expect(try store.job(6)?.state == .available)
    #expect(try store.promoteDue(now: start + 60) == 1)
    let claimed = try store.claim(limit: 9, owner: supervisor, leaseUntil: 60_000, now: start)
    #expect(claimed.map(\.id) == [8, 6, 7, 9])
    #expect(try store.submit() == 11)
    #expect(try store.events(of: 11)[0].id > 20)
  }

  @Test func `uniqueness, requests and counts of the first format hold`() throws {
    let store = try storeFromVersion1()
    #expect(try store.submit("next.mp4") { $0.isUnique = true } == 8)
    #expect(try store.submit("größe.mp4") { $0.isUnique = true } == 9)
    let again = try store.submit([newJob("done.mp4")], requestID: "watch done.mp4", now: start)
    #expect(again.map(\.job.id) == [2])
    #expect(try store.stats().queues["slow"] == [.running: 1])
    #expect(try store.stats().count(.failed) == 2)
    #expect(try store.examine(bootNow: 0) { _ in true } == [])
  }

  @Test func `a file that was migrated has the shape of a new one`() throws {
    func shape(_ store: JobStore) throws -> [String] {
      try store.connection.query(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name"
      ) { row in row[0] as String }
    }
    let migrated = try shape(storeFromVersion1())
    let new = try JobStore(path: TemporaryDirectory.path + "/new.db", role: .client)
    #expect(try shape(new) == migrated)
  }
}
