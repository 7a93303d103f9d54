import Digests
import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct RetentionTests {
  private let day = 86_400.0

  private func size() throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: queuePath)[.size] as? Int)
  }

  @Test func `retention is 30 days until it is set, also to never`() throws {
    let store = try openStore()
    #expect(try store.retention().jobs == .seconds(30 * 86_400))
    var retention = Retention()
    retention.jobs = nil
    retention.details = .seconds(60)
    try store.setRetention(retention)
    #expect(try openStore(.reader).retention() == retention)
  }

  @Test func `what is older than the retention goes, and nothing else`() throws {
    let store = try openStore()
    let old = try store.makeJob(in: .failed)
    let waiting = try store.makeJob(in: .available)
    #expect(try store.applyRetention(now: start + 29 * day).jobs == 0)
    #expect(try store.applyRetention(now: start + 31 * day).jobs == 1)
    #expect(try store.job(old) == nil)
    #expect(try store.job(waiting) != nil)
  }

  @Test func `a request is still answered when its job is gone, and forgotten after a year`() throws
  {
    let store = try openStore()
    let jobs = [newJob("a.mp4"), newJob("b.mp4")]
    let ids = try store.submit(jobs, requestID: "watch", now: start).map(\.job.id)
    for ending in [Ending.completed(Completion()), .failed("no video", .permanent)] {
      try store.finish(try #require(try store.claimLease()), as: ending, now: start)
    }
    try store.applyRetention(now: start + 31 * day)
    #expect(try store.list().isEmpty)
    let again = try store.submit(jobs, requestID: "watch", now: start + 32 * day)
    #expect(again.map(\.job.id) == ids)
    #expect(again.map(\.job.state) == [.completed, .failed])
    #expect(again.map(\.job.input) == ["a.mp4", "b.mp4"])
    #expect(again.allSatisfy { $0.isPruned && !$0.isNew })
    #expect(try store.list().isEmpty)
    #expect(try store.applyRetention(now: start + 366 * day).requests == 2)
    #expect(
      try store.submit(jobs, requestID: "watch", now: start + 366 * day).allSatisfy(\.isNew))
  }

  @Test func `the request of a job that is there is not forgotten, however old`() throws {
    let store = try openStore()
    let id = try store.submit([newJob()], requestID: "watch", now: start)[0].job.id
    try store.applyRetention(now: start + 999 * day)
    #expect(try store.submit([newJob()], requestID: "watch", now: start)[0].job.id == id)
  }

  @Test func `compaction keeps the story of a job that went straight through`() throws {
    let store = try openStore()
    let id = try store.submit()
    let lease = try #require(try store.claimNext(now: start + 1)?.lease)
    try store.finish(lease, as: .completed(Completion(result: "{}")), now: start + 2)
    let before = try store.events(of: id)
    #expect(try store.compact(endedBefore: start + 3) == 1)
    #expect(try store.result(of: id) == nil)
    let after = try store.events(of: id)
    #expect(after.map(\.kind) == before.map(\.kind))
    #expect(after.map(\.at) == before.map(\.at))
    let attempt = try #require(try store.attempts(of: id).first)
    #expect((attempt.number, attempt.outcome) == (1, .completed))
    #expect((attempt.startedAt, attempt.endedAt) == (start + 1, start + 2))
    #expect(try store.compact(endedBefore: start + 3) == 0)
  }

  @Test func `compaction keeps the events of a job that had trouble`() throws {
    let store = try openStore()
    let id = try store.submit()
    for ending in [Ending.crashed("signal 11"), .completed(Completion())] {
      let report = AttemptReport(logTail: "oh")
      try store.finish(
        try #require(try store.claimLease()), as: ending, report: report, now: start)
    }
    let failed = try store.makeJob(in: .failed)
    let stories = try [id, failed].map(store.events(of:))
    #expect(try store.compact(endedBefore: start + 1) == 0)
    #expect(try [id, failed].map(store.events(of:)) == stories)
    #expect(try store.attempts(of: id).first?.report.logTail == "oh")
  }

  @Test func `the feed goes on after everything in it was removed`() throws {
    let store = try openStore()
    _ = try store.makeJob(in: .completed)
    let cursor = try #require(try store.events(after: 0).last).id
    try store.prune(endedBefore: start + 1)
    let id = try store.submit()
    #expect(try store.events(after: cursor).map(\.jobID) == [id])
  }

  /// Jobs as the pool leaves them: with a result document, a report and a key.
  @Test func `a finished job takes less than 400 bytes after compaction`() throws {
    let store = try openStore()
    let count = 20_000
    let jobs = (0..<count).map { number in
      var job = newJob("/home/somebody/media/inbox/clip-\(number).mp4")
      job.output = "/home/somebody/out/clip-\(number)"
      return job
    }
    let result = #"{"files":["# + String(repeating: #"{"sha256":"0123456789abcdef"},"#, count: 20)
    _ = try store.submit(jobs, now: start)
    var finished: [FinishedAttempt] = []
    repeat {
      let claimed = try store.finishAndClaim(
        finished, limit: 1000, owner: supervisor, leaseUntil: 30_000, now: start
      ).claimed
      finished = claimed.compactMap(\.lease).map { lease in
        let key = MemoKey(
          input: SHA256Digest(of: "\(lease.jobID)"), recipeDigest: "d1", engine: "1.0")
        return FinishedAttempt(
          lease, .completed(Completion(result: result, memoKey: key)),
          report: AttemptReport(
            pid: 4711, exitCode: 0, cpuTime: .milliseconds(900), peakRSS: 90 << 20, logTail: "note")
        )
      }
    } while !finished.isEmpty
    try store.checkpoint()
    let full = try size()
    #expect(try store.compact(endedBefore: start + 1) == count)
    try store.checkpoint()
    let compact = try size()
    #expect(compact < 400 * count, "\(compact / count) bytes a job, \(full / count) before")
    try store.vacuum()
    #expect(try size() <= compact)
    #expect(try store.examine(bootNow: 0) { _ in true } == [])
  }
}
