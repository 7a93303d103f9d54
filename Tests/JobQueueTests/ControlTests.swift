import Foundation
import TestSupport
@testable import JobQueue
import Testing

@Suite(.temporaryDirectory) struct ControlTests {
  @Test(arguments: [JobState.blocked, .scheduled, .available])
  func `a waiting job is cancelled at once`(state: JobState) throws {
    let store = try openStore()
    let id = try store.makeJob(in: state)
    #expect(try store.cancel(id, now: start + 1) == .cancelled)
    #expect(try store.job(id)?.state == .cancelled)
    #expect(try store.job(id)?.finishedAt == start + 1)
  }

  @Test func `a running job is marked, and its own supervisor sees it`() throws {
    let store = try openStore()
    let id = try store.makeJob(in: .running)
    #expect(try store.cancelRequests(to: supervisor).isEmpty)
    #expect(try store.cancel(id, now: start) == .requested)
    #expect(try store.cancel(id, now: start) == .requested)
    #expect(try store.job(id)?.state == .running)
    #expect(try store.job(id)?.cancelRequested == true)
    #expect(try store.cancelRequests(to: supervisor).map(\.jobID) == [id])
    #expect(try store.cancelRequests(to: otherSupervisor).isEmpty)
    #expect(try store.events(of: id).count { $0.kind == .cancelRequested } == 1)
  }

  @Test(arguments: [JobState.completed, .failed, .cancelled, .quarantined])
  func `it is too late to cancel a job that has ended`(state: JobState) throws {
    let store = try openStore()
    let id = try store.makeJob(in: state)
    #expect(try store.cancel(id, now: start) == .tooLate(state))
  }

  @Test func `the jobs after a cancelled one fail`() throws {
    let store = try openStore()
    let parent = try store.submit()
    let child = try store.submit { $0.after = [parent] }
    _ = try store.cancel(parent, now: start)
    #expect(try store.job(child)?.state == .failed)
  }

  @Test(arguments: [JobState.failed, .cancelled, .quarantined])
  func `a retried job is available with new counts and the next attempt number`(
    state: JobState
  ) throws {
    let store = try openStore()
    let id = try store.makeJob(in: state)
    let attempt = try #require(try store.job(id)).attempt
    let job = try store.retry(id, now: start)
    #expect((job.state, job.failures, job.crashes) == (.available, 0, 0))
    #expect((job.error, job.finishedAt) == (nil, nil))
    #expect(try store.claimNext()?.attempt == attempt + 1)
    #expect(try store.attempts(of: id).count == attempt + 1)
  }

  @Test func `a retry of a job in another state says so`() throws {
    let store = try openStore()
    let id = try store.makeJob(in: .completed)
    let error = try #require(throws: QueueError.self) { try store.retry(id, now: start) }
    #expect(QueueError.Code.notAllowed ~= error)
    #expect(error.description.contains("job \(id) is completed"))
  }

  @Test func `a job is not retried before what it comes after has ended well`() throws {
    let store = try openStore()
    let parent = try store.submit()
    let child = try store.submit { $0.after = [parent] }
    _ = try store.cancel(parent, now: start)
    #expect(try store.job(child)?.state == .failed)
    let error = try #require(throws: QueueError.self) { try store.retry(child, now: start) }
    #expect(error.description.contains("comes after job \(parent), which is cancelled"))
    try store.retry(parent, now: start)
    #expect { try store.retry(child, now: start) } throws: { QueueError.Code.notAllowed ~= $0 }
    let lease = try #require(try store.claimLease())
    try store.finish(lease, as: .completed(Completion()), now: start)
    #expect(try store.retry(child, now: start).state == .available)
  }

  @Test func `a unique job is not retried beside one like it`() throws {
    let store = try openStore()
    let id = try store.submit { $0.isUnique = true }
    _ = try store.cancel(id, now: start)
    try store.submit { $0.isUnique = true }
    #expect { try store.retry(id, now: start) } throws: { QueueError.Code.notAllowed ~= $0 }
    #expect(try store.job(id)?.state == .cancelled)
  }

  @Test func `a job that does not exist is named in the error`() throws {
    let store = try openStore()
    for act in [
      { _ = try store.cancel(99, now: start) }, { try store.retry(99, now: start) },
      { try store.setPriority(1, of: 99) },
    ] {
      let error = try #require(throws: QueueError.self) { try act() }
      #expect(error.description == "no job 99 in the queue; `keymill list` shows what is there")
    }
  }

  @Test func `a new priority changes the order of waiting jobs only`() throws {
    let store = try openStore()
    try store.submit()
    let second = try store.submit()
    try store.setPriority(5, of: second)
    #expect(try store.claimNext()?.id == second)
    #expect { try store.setPriority(6, of: second) } throws: { QueueError.Code.notAllowed ~= $0 }
  }

  @Test func `queues are listed with their settings`() throws {
    let store = try openStore()
    try store.submit()
    try store.setLimit(3, queue: "slow")
    try store.pause(queue: "slow")
    #expect(
      try store.queues() == [
        QueueSettings(name: "default", isPaused: false, maxRunning: nil),
        QueueSettings(name: "slow", isPaused: true, maxRunning: 3),
      ])
  }
}

@Suite(.temporaryDirectory) struct WorkerTests {
  @Test func `a registered supervisor is listed with what it runs`() throws {
    let store = try openStore()
    let id = try store.submit()
    try store.register(supervisor, host: "here", processes: 2, now: start)
    try store.register(supervisor, host: "here", processes: 3, now: start + 10)
    _ = try store.claimNext()
    #expect(
      try store.workers() == [
        WorkerRecord(
          identity: supervisor, host: "here", processes: 3, desiredProcesses: nil,
          startedAt: start, seenAt: start + 10, running: [id])
      ])
    try store.deregister(supervisor)
    #expect(try store.workers().isEmpty)
  }

  @Test func `scale asks one supervisor or all`() throws {
    let store = try openStore()
    for owner in [supervisor, otherSupervisor] {
      try store.register(owner, host: "here", processes: 1, now: start)
    }
    #expect(try store.desiredProcesses(of: supervisor) == nil)
    #expect(try store.scale(to: 4) == 2)
    #expect(try store.scale(to: 7, supervisor: "second") == 1)
    #expect(try store.desiredProcesses(of: supervisor) == 4)
    #expect(try store.desiredProcesses(of: otherSupervisor) == 7)
  }

  @Test func `settings are kept, replaced and removed`() throws {
    let store = try openStore()
    #expect(try store.setting("retention") == nil)
    try store.setSetting("retention", to: "7d")
    try store.setSetting("retention", to: "30d")
    #expect(try openStore(.reader).setting("retention") == "30d")
    try store.setSetting("retention", to: nil)
    #expect(try store.setting("retention") == nil)
  }
}
