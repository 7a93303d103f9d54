import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct LeaseTests {
  /// A store with one job whose first attempt is lost and whose second runs elsewhere.
  private func storeWithStaleLease() throws -> (JobStore, stale: Lease, current: Lease) {
    let store = try openStore()
    try store.submit()
    let stale = try #require(try store.claimLease())
    try store.reclaim(by: otherSupervisor, bootNow: 30_000, now: start) { _ in true }
    let current = try #require(try store.claimNext(by: otherSupervisor)?.lease)
    return (store, stale, current)
  }

  @Test func `a stale attempt can neither renew nor report nor end nor publish`() throws {
    let (store, stale, current) = try storeWithStaleLease()
    let before = try store.job(stale.jobID)
    #expect(try store.renew([stale, current], until: 60_000) == [stale])
    #expect(try store.update([(stale, Progress(fraction: 0.9))]) == [stale])
    for ending in [Ending.completed(Completion()), .failed("no", .permanent), .released("stop")] {
      #expect(try store.finish(stale, as: ending, now: start) == nil)
    }
    var published = false
    #expect(try store.publish(stale, Completion(), now: start) { published = true } == nil)
    #expect(!published)
    #expect(try store.job(stale.jobID) == before)
    #expect(try store.finish(current, as: .completed(Completion()), now: start) == .completed)
  }

  @Test func `a lease does not outlive its attempt`() throws {
    let store = try openStore()
    try store.submit()
    let lease = try #require(try store.claimLease())
    try store.finish(lease, as: .completed(Completion()), now: start)
    #expect(try store.finish(lease, as: .failed("no", .permanent), now: start) == nil)
    #expect(try store.renew([lease], until: 60_000) == [lease])
  }

  @Test func `a job whose lease ran out is available again`() throws {
    let store = try openStore()
    let id = try store.submit()
    _ = try store.claimNext()
    let taken = try store.reclaim(by: otherSupervisor, bootNow: 30_000, now: start) { _ in true }
    #expect(taken.map(\.id) == [id])
    #expect(taken.map(\.state) == [.available])
    let attempt = try #require(try store.attempts(of: id).first)
    #expect(attempt.outcome == .lost)
    #expect(attempt.error == "its supervisor let the lease run out")
  }

  @Test func `a lease that is renewed is not reclaimed`() throws {
    let store = try openStore()
    try store.submit()
    let lease = try #require(try store.claimLease())
    #expect(try store.renew([lease], until: 60_000) == [])
    #expect(try store.nextLeaseExpiry() == 60_000)
    #expect(
      try store.reclaim(by: otherSupervisor, bootNow: 59_999, now: start) { _ in true }.isEmpty)
  }

  @Test func `after the machine slept, leases of the living have the grace that is asked for`()
    throws
  {
    let store = try openStore()
    try store.submit()
    let lease = try #require(try store.claimLease())
    func reclaim(at bootNow: Int64) throws -> Int {
      try store.reclaim(by: otherSupervisor, bootNow: bootNow, now: start, grace: .seconds(30)) {
        _ in
        true
      }.count
    }
    #expect(try reclaim(at: 59_999) == 0)
    #expect(try store.renew([lease], until: 90_000) == [])
    #expect(try reclaim(at: 119_999) == 0)
    #expect(try reclaim(at: 120_000) == 1)
  }

  @Test func `the dead have no grace`() throws {
    let store = try openStore()
    try store.submit()
    _ = try store.claimNext()
    let taken = try store.reclaim(
      by: otherSupervisor, bootNow: 0, now: start, grace: .seconds(30)
    ) { _ in false }
    #expect(taken.count == 1)
  }

  @Test func `the job of a dead supervisor is taken at once, and the supervisor forgotten`() throws
  {
    let store = try openStore()
    let id = try store.submit()
    try store.register(supervisor, host: "here", processes: 2, now: start)
    _ = try store.claimNext()
    let taken = try store.reclaim(by: otherSupervisor, bootNow: 0, now: start) { $0 != supervisor }
    #expect(taken.map(\.id) == [id])
    #expect(try store.workers().isEmpty)
    #expect(try store.attempts(of: id).first?.error == "its supervisor died")
  }

  @Test func `the job of a supervisor that left the registry is an orphan`() throws {
    let store = try openStore()
    let id = try store.submit()
    _ = try store.claimNext()
    try store.deregister(supervisor)
    #expect(
      try store.reclaim(by: otherSupervisor, bootNow: 0, now: start) { _ in true }.map(\.id) == [id]
    )
  }

  @Test func `a supervisor does not take its own jobs, even past their lease`() throws {
    let store = try openStore()
    try store.submit()
    _ = try store.claimNext()
    #expect(try store.reclaim(by: supervisor, bootNow: 99_000, now: start) { _ in true }.isEmpty)
  }

  @Test func `a job that is lost too often goes into quarantine`() throws {
    let store = try openStore()
    let id = try store.submit { $0.maxAttempts = 2 }
    for expected in [JobState.available, .quarantined] {
      _ = try store.claimNext()
      let taken = try store.reclaim(by: otherSupervisor, bootNow: 0, now: start) { _ in false }
      #expect(taken.map(\.state) == [expected])
    }
    #expect(try store.job(id)?.error == "its supervisor died")
  }

  @Test func `progress is stored for the running attempt and begins anew with the next`() throws {
    let store = try openStore()
    let id = try store.submit()
    let lease = try #require(try store.claimLease())
    let progress = Progress(
      fraction: 0.5, stage: "key", frames: 45, fps: 29.5, remaining: .seconds(3))
    #expect(try store.update([(lease, progress)]) == [])
    #expect(try store.job(id)?.progress == progress)
    try store.finish(lease, as: .released("stopping"), now: start)
    #expect(try store.job(id)?.progress.fraction == 0)
  }
}
