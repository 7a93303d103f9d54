import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct ClaimTests {
  private func claimAll(_ store: JobStore, limit: Int = 100) throws -> [Job.ID] {
    try store.claim(limit: limit, owner: supervisor, leaseUntil: 30_000, now: start).map(\.id)
  }

  @Test func `nothing is claimed from an empty queue`() throws {
    #expect(try openStore().claimNext() == nil)
  }

  @Test func `higher priority goes first, then the older job, over all queues`() throws {
    let store = try openStore()
    let low = try store.submit { $0.priority = -1 }
    let first = try store.submit()
    let second = try store.submit { $0.queue = "other" }
    let high = try store.submit { $0.priority = 7 }
    let third = try store.submit()
    #expect(try claimAll(store) == [high, first, second, third, low])
  }

  @Test func `no more than the limit is claimed`() throws {
    let store = try openStore()
    let ids = try (0..<5).map { _ in try store.submit() }
    #expect(try claimAll(store, limit: 2) == Array(ids[0..<2]))
    #expect(try claimAll(store, limit: 0) == [])
    #expect(try claimAll(store, limit: 9) == Array(ids[2...]))
  }

  @Test func `a claimed job is running, in its first attempt, with a lease`() throws {
    let store = try openStore()
    let id = try store.submit()
    let job = try #require(try store.claimNext(now: start + 5))
    #expect(job == (try store.job(id)))
    #expect(job.state == .running)
    #expect(job.attempt == 1)
    #expect(job.startedAt == start + 5)
    #expect(job.ownerPID == supervisor.pid)
    #expect(job.lease?.attempt == 1)
    #expect(try store.nextLeaseExpiry() == 30_000)
  }

  @Test func `each claim of a job numbers a new attempt`() throws {
    let store = try openStore()
    try store.submit()
    for number in 1...4 {
      let job = try #require(try store.claimNext())
      #expect(job.attempt == number)
      try store.finish(try #require(job.lease), as: .released("stopping"), now: start)
    }
  }

  @Test func `a paused queue gives nothing until it is resumed`() throws {
    let store = try openStore()
    let slow = try store.submit { $0.queue = "slow" }
    let usual = try store.submit()
    try store.pause(queue: "slow")
    #expect(try claimAll(store) == [usual])
    try store.resume(queue: "slow")
    #expect(try claimAll(store) == [slow])
  }

  @Test func `a queue's limit counts what runs`() throws {
    let store = try openStore()
    try store.setLimit(2, queue: "slow")
    let ids = try (0..<4).map { _ in try store.submit { $0.queue = "slow" } }
    #expect(try claimAll(store) == Array(ids[0..<2]))
    #expect(try claimAll(store) == [])
    let lease = try #require(try store.job(ids[0])?.lease)
    try store.finish(lease, as: .completed(Completion()), now: start)
    #expect(try claimAll(store) == [ids[2]])
    try store.setLimit(nil, queue: "slow")
    #expect(try claimAll(store) == [ids[3]])
  }

  @Test func `a job that is due is promoted, then claimed`() throws {
    let store = try openStore()
    let id = try store.submit { $0.due = start + 60 }
    #expect(try store.nextDue() == start + 60)
    #expect(try store.promoteDue(now: start + 59) == 0)
    #expect(try claimAll(store) == [])
    #expect(try store.promoteDue(now: start + 60) == 1)
    #expect(try store.nextDue() == nil)
    #expect(try claimAll(store) == [id])
  }

  @Test func `more due jobs than one batch are promoted at once`() throws {
    let store = try openStore()
    var new = newJob()
    new.due = start + 1
    _ = try store.submit(Array(repeating: new, count: 2500), now: start)
    #expect(try store.promoteDue(now: start + 1) == 2500)
  }

  @Test func `finishing and claiming together do both`() throws {
    let store = try openStore()
    let ids = try (0..<3).map { _ in try store.submit() }
    let lease = try #require(try store.claimLease())
    let (states, claimed) = try store.finishAndClaim(
      [FinishedAttempt(lease, .completed(Completion())), FinishedAttempt(lease, .cancelled)],
      limit: 1, owner: supervisor, leaseUntil: 30_000, now: start)
    #expect(states == [.completed, nil])
    #expect(claimed.map(\.id) == [ids[1]])
  }

  @Test func `the backlog is empty when nothing is left that a pool could do`() throws {
    let store = try openStore()
    #expect(try store.backlogIsEmpty())
    for state in JobState.allCases { _ = try store.makeJob(in: state) }
    #expect(try !store.backlogIsEmpty())
    try store.promoteDue(now: start + 60)
    while let lease = try store.claimLease() {
      try store.finish(lease, as: .completed(Completion()), now: start)
    }
    #expect(try !store.backlogIsEmpty())
    for job in try store.list() {
      if let lease = job.lease { try store.finish(lease, as: .cancelled, now: start) }
    }
    #expect(try store.backlogIsEmpty(), "what is left waits for a paused queue")
    try store.resume(queue: "parents")
    #expect(try !store.backlogIsEmpty())
  }
}
