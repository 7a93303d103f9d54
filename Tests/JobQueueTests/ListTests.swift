import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct ListTests {
  private func ids(_ store: JobStore, _ change: (inout JobFilter) -> Void) throws -> [Job.ID] {
    var filter = JobFilter()
    change(&filter)
    return try store.list(filter).map(\.id)
  }

  @Test func `a list has the newest first, page by page, or the oldest`() throws {
    let store = try openStore()
    let all = try (0..<5).map { _ in try store.submit() }
    #expect(try ids(store) { _ in } == all.reversed())
    #expect(try ids(store) { $0.limit = 2 } == [all[4], all[3]])
    #expect(
      try ids(store) {
        $0.limit = 2
        $0.beyond = all[3]
      } == [all[2], all[1]])
    #expect(
      try ids(store) {
        $0.newestFirst = false
        $0.beyond = all[3]
      } == [all[4]])
  }

  @Test(arguments: JobState.allCases)
  func `a list of one state holds those jobs only`(state: JobState) throws {
    let store = try openStore()
    var wanted: [Job.ID] = []
    for other in JobState.allCases.reversed() {
      let id = try store.makeJob(in: other)
      if other == state { wanted.append(id) }
    }
    if state == .available { wanted.append(try #require(try parent(store))) }
    #expect(try Set(ids(store) { $0.states = [state] }) == Set(wanted))
  }

  @Test func `several states are merged in order`() throws {
    let store = try openStore()
    let done = try store.makeJob(in: .completed)
    let failed = try store.makeJob(in: .failed)
    let again = try store.makeJob(in: .completed)
    try store.submit()
    let states: Set<JobState> = [.completed, .failed]
    #expect(try ids(store) { $0.states = states } == [again, failed, done])
    #expect(
      try ids(store) {
        $0.states = states
        $0.limit = 2
        $0.newestFirst = false
      } == [done, failed])
  }

  @Test(arguments: [JobState.available, .scheduled])
  func `the newest of a large backlog come first`(state: JobState) throws {
    let store = try openStore()
    var job = newJob()
    if state == .scheduled { job.due = start + 60 }
    let other = try store.makeJob(in: .completed)
    let jobs = try store.submit(Array(repeating: job, count: 10_001), now: start).map(\.job.id)
    #expect(
      try ids(store) {
        $0.states = [state]
        $0.limit = 3
      } == jobs.suffix(3).reversed())
    #expect(
      try ids(store) {
        $0.states = [state, .completed]
        $0.newestFirst = false
        $0.limit = 2
      } == [other, jobs[0]])
  }

  @Test func `queue and batch narrow a list`() throws {
    let store = try openStore()
    let slow = try store.submit { $0.queue = "slow" }
    let monday = try store.submit { $0.batch = "monday" }
    #expect(try ids(store) { $0.queue = "slow" } == [slow])
    #expect(try ids(store) { $0.batch = "monday" } == [monday])
    #expect(
      try ids(store) {
        $0.batch = "monday"
        $0.states = [.completed]
      } == [])
  }

  @Test func `a reader sees the queue and cannot change it`() throws {
    let id = try openStore().submit()
    let reader = try openStore(.reader)
    #expect(try reader.list().map(\.id) == [id])
    #expect { try reader.submit() } throws: { QueueError.Code.readOnly ~= $0 }
  }

  /// The one job in the queue that `makeJob` uses for parents.
  private func parent(_ store: JobStore) throws -> Job.ID? {
    try ids(store) { $0.queue = "parents" }.first
  }
}

@Suite(.temporaryDirectory) struct HistoryTests {
  @Test func `the events of a job tell its story`() throws {
    let store = try openStore()
    let id = try store.submit()
    try store.finish(try #require(try store.claimLease()), as: .crashed("signal 9"), now: start + 1)
    let lease = try #require(try store.claimLease())
    try store.finish(lease, as: .failed("no video", .permanent), now: start + 2)
    let events = try store.events(of: id)
    #expect(events.map(\.kind) == [.submitted, .claimed, .crashed, .claimed, .failed])
    #expect(events.map(\.attempt) == [0, 1, 1, 2, 2])
    #expect(events.map(\.detail) == [nil, nil, "signal 9", nil, "no video"])
    #expect(events.last?.at == start + 2)
  }

  @Test func `the feed goes on after its cursor`() throws {
    let store = try openStore()
    for _ in 0..<3 { try store.submit() }
    let first = try store.events(after: 0, limit: 2)
    #expect(first.map(\.jobID) == [1, 2])
    let cursor = try #require(first.last).id
    #expect(try store.events(after: cursor).map(\.jobID) == [3])
    #expect(try store.events(after: cursor + 1).isEmpty)
  }

  @Test func `the running attempt is the last one, without an end`() throws {
    let store = try openStore()
    let id = try store.submit()
    try store.finish(try #require(try store.claimLease()), as: .released("stop"), now: start)
    _ = try store.claimNext(now: start + 7)
    let attempts = try store.attempts(of: id)
    #expect(attempts.map(\.number) == [1, 2])
    #expect(attempts.map(\.outcome) == [.released, nil])
    #expect(attempts.map(\.endedAt) == [start, nil])
    #expect(attempts.last?.startedAt == start + 7)
  }

  @Test func `prune removes what ended before a time, with all its traces, and nothing else`()
    throws
  {
    let store = try openStore()
    let old = try store.makeJob(in: .completed)
    let oldFailure = try store.makeJob(in: .failed)
    try store.submit()
    let lease = try #require(try store.claimLease())
    try store.finish(lease, as: .completed(Completion()), now: start + 100)
    let waiting = try store.makeJob(in: .available)
    #expect(try store.prune(endedBefore: start + 1, states: [.completed, .available]) == 1)
    #expect(try store.job(old) == nil)
    #expect(try store.events(of: old).isEmpty)
    #expect(try store.attempts(of: old).isEmpty)
    #expect(try store.list().map(\.id) == [waiting, lease.jobID, oldFailure])
    #expect(try store.prune(endedBefore: start + 1) == 1)
  }

  @Test func `prune gives space back`() throws {
    let store = try openStore()
    _ = try store.submit((0..<5000).map { newJob("\($0).mp4") }, now: start)
    _ = try store.checkpoint()
    func size() throws -> Int {
      try #require(try FileManager.default.attributesOfItem(atPath: queuePath)[.size] as? Int)
    }
    let full = try size()
    for job in try store.list(allJobs) { _ = try store.cancel(job.id, now: start) }
    #expect(try store.prune(endedBefore: start + 1) == 5000)
    _ = try store.checkpoint()
    #expect(try size() < full / 4)
  }

  private var allJobs: JobFilter {
    var filter = JobFilter()
    filter.limit = .max
    return filter
  }

  @Test func `counts are right by state and queue, also after retry and prune`() throws {
    let store = try openStore()
    for state in JobState.allCases { _ = try store.makeJob(in: state) }
    let failed = try store.makeJob(in: .failed)
    #expect(try store.stats().count(.failed) == 2)
    _ = try store.retry(failed, now: start)
    try store.prune(endedBefore: start + 1, states: [.completed])
    let stats = try store.stats()
    #expect(
      stats.queues["default"] == [
        .blocked: 1, .scheduled: 1, .available: 2, .running: 1, .failed: 1, .cancelled: 1,
        .quarantined: 1,
      ])
    #expect(stats.queues["parents"] == [.available: 1])
    #expect(stats.count(.available) == 3)
  }
}
