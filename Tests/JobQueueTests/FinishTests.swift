import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct FinishTests {
  @Test func `a completed job keeps its result and is done`() throws {
    let store = try openStore()
    let id = try store.submit()
    let lease = try #require(try store.claimLease())
    let completion = Completion(result: #"{"files":[]}"#, isPartial: true, warnings: 3)
    try store.finish(lease, as: .completed(completion), now: start + 9)
    let job = try #require(try store.job(id))
    #expect((job.state, job.progress.fraction, job.finishedAt) == (.completed, 1, start + 9))
    #expect((job.isPartial, job.warnings) == (true, 3))
    #expect((job.lease, job.ownerPID, job.error) == (nil, nil, nil))
    #expect(try store.result(of: id) == completion.result)
  }

  @Test func `a completed job does not show the error of an earlier attempt`() throws {
    let store = try openStore()
    let id = try store.submit()
    for ending in [Ending.crashed("signal 11"), .completed(Completion())] {
      try store.finish(try #require(try store.claimLease()), as: ending, now: start)
    }
    #expect(try store.job(id)?.error == nil)
    #expect(try store.attempts(of: id).map(\.error) == ["signal 11", nil])
  }

  @Test func `a permanent failure ends the job at once`() throws {
    let store = try openStore()
    let id = try store.submit()
    let lease = try #require(try store.claimLease())
    #expect(try store.finish(lease, as: .failed("no video", .permanent), now: start) == .failed)
    #expect(try store.job(id)?.error == "no video")
    #expect(try store.job(id)?.finishedAt == start)
  }

  @Test func `transient failures wait by the back-off, and the last one ends the job`() throws {
    var options = JobStore.Options()
    options.backoff = Backoff(base: .seconds(10), factor: 3, jitter: 0)
    let store = try openStore(options: options)
    let id = try store.submit { $0.maxAttempts = 3 }
    for delay in [10.0, 30] {
      let lease = try #require(try store.claimLease())
      #expect(try store.finish(lease, as: .failed("no net", .transient), now: start) == .scheduled)
      #expect(try store.job(id)?.scheduledAt == start + delay)
      #expect(try store.job(id)?.error == "no net")
      try store.promoteDue(now: start + delay)
    }
    let lease = try #require(try store.claimLease())
    #expect(try store.finish(lease, as: .failed("no net", .transient), now: start) == .failed)
    #expect(try store.job(id)?.failures == 3)
  }

  @Test func `crashes have a limit of their own`() throws {
    let store = try openStore()
    let id = try store.submit { $0.maxAttempts = 1 }
    for expected in [JobState.available, .available, .quarantined] {
      let lease = try #require(try store.claimLease())
      #expect(try store.finish(lease, as: .crashed("signal 9"), now: start) == expected)
    }
    #expect(try store.job(id)?.crashes == 3)
    #expect(try store.job(id)?.failures == 0)
  }

  @Test func `what is known of a dead process is kept with its attempt`() throws {
    let store = try openStore()
    let id = try store.submit()
    let report = AttemptReport(
      pid: 4711, signal: 11, cpuTime: .milliseconds(1234), peakRSS: 98_765_432,
      logTail: "last words\n")
    let lease = try #require(try store.claimLease())
    try store.finish(lease, as: .crashed("signal 11"), report: report, now: start + 2)
    let attempt = try #require(try store.attempts(of: id).first)
    #expect(attempt.report == report)
    #expect((attempt.number, attempt.outcome) == (1, .crashed))
    #expect((attempt.startedAt, attempt.endedAt) == (start, start + 2))
  }

  @Test func `giving back and waiting for space cost nothing`() throws {
    let store = try openStore()
    let id = try store.submit { $0.maxAttempts = 1 }
    for _ in 0..<5 {
      let lease = try #require(try store.claimLease())
      #expect(try store.finish(lease, as: .released("stopping"), now: start) == .available)
    }
    for _ in 0..<5 {
      let lease = try #require(try store.claimLease())
      let ending = Ending.postponed("no space", until: start + 30)
      #expect(try store.finish(lease, as: ending, now: start) == .scheduled)
      try store.promoteDue(now: start + 30)
    }
    let job = try #require(try store.job(id))
    #expect((job.failures, job.crashes, job.attempt) == (0, 0, 10))
  }
}

@Suite(.temporaryDirectory) struct PublishTests {
  @Test func `publishing completes the job with what was done`() throws {
    let store = try openStore()
    let id = try store.submit()
    let lease = try #require(try store.claimLease())
    let answer = try store.publish(lease, Completion(warnings: 1), now: start) { "renamed" }
    #expect(answer == "renamed")
    #expect(try store.job(id)?.state == .completed)
    #expect(try store.job(id)?.warnings == 1)
  }

  @Test func `nobody can take the job while its output is published`() throws {
    let store = try openStore()
    try store.submit()
    let lease = try #require(try store.claimLease())
    let other = try openStore(.supervisor)
    _ = try store.publish(lease, Completion(), now: start) {
      #expect {
        try other.reclaim(by: otherSupervisor, bootNow: 99_000, now: start) { _ in false }
      } throws: {
        QueueError.Code.busy ~= $0
      }
    }
  }

  @Test func `a publication that fails leaves the attempt running`() throws {
    struct NoSpace: Error {}
    let store = try openStore()
    let id = try store.submit()
    let lease = try #require(try store.claimLease())
    let before = try store.job(id)
    #expect(throws: NoSpace.self) {
      try store.publish(lease, Completion(), now: start) { throw NoSpace() }
    }
    #expect(try store.job(id) == before)
    #expect(try store.finish(lease, as: .completed(Completion()), now: start) == .completed)
  }
}
