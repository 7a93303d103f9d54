import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct SubmitTests {
  @Test func `a job comes back as it was submitted`() throws {
    let store = try openStore()
    var new = newJob("größe.mp4")
    new.queue = "slow"
    new.priority = -3
    new.batch = "monday"
    new.timeout = .seconds(90)
    new.maxAttempts = 2
    new.due = start + 0.25
    let submitted = try store.submit([new], now: start)[0]
    let job = try #require(try store.job(submitted.job.id))
    #expect(job == submitted.job)
    #expect(submitted.isNew)
    #expect(job.state == .scheduled)
    #expect(job.input == "größe.mp4")
    #expect(job.output == "out/clip")
    #expect(job.recipe == new.recipe)
    #expect((job.queue, job.priority, job.batch) == ("slow", -3, "monday"))
    #expect((job.timeout, job.maxAttempts) == (.seconds(90), 2))
    #expect((job.createdAt, job.scheduledAt) == (start, start + 0.25))
    #expect((job.attempt, job.failures, job.crashes, job.error) == (0, 0, 0, nil))
  }

  @Test func `numbers rise and are not given again after a prune`() throws {
    let store = try openStore()
    let first = try store.makeJob(in: .completed)
    try store.prune(endedBefore: start + 1)
    #expect(try store.submit() > first)
  }

  @Test func `a submission that fails in the middle adds nothing`() throws {
    let store = try openStore()
    var orphan = newJob()
    orphan.after = [99]
    #expect {
      try store.submit([newJob(), orphan], now: start)
    } throws: {
      QueueError.Code.noSuchJob ~= $0
    }
    #expect(try store.list().isEmpty)
  }

  @Test func `queue, recipe and numbers of a submission that failed are forgotten`() throws {
    let store = try openStore()
    var failing = newJob()
    failing.queue = "lost"
    failing.recipe = JobRecipe(name: "lost", digest: "d9", canonicalJSON: "{}")
    var orphan = newJob()
    orphan.after = [99]
    _ = try? store.submit([failing, orphan], now: start)
    // Another process gets the numbers that were given back.
    try openStore().submit { $0.queue = "other" }
    let job = try store.submit([failing], now: start)[0].job
    let read = try #require(try openStore(.reader).job(job.id))
    #expect((read.id, read.queue, read.recipe.name) == (2, "lost", "lost"))
  }

  @Test(arguments: [JobState.blocked, .scheduled, .available, .running])
  func `a unique job is not added while one like it waits or runs`(state: JobState) throws {
    let store = try openStore()
    var new = newJob()
    new.isUnique = true
    if state == .scheduled { new.due = start + 60 }
    if state == .blocked { new.after = [try store.submit("other.mp4") { $0.queue = "other" }] }
    let first = try store.submit([new], now: start)[0]
    if state == .running { _ = try store.claimNext() }
    let second = try store.submit([new], now: start)[0]
    #expect(second.job.id == first.job.id)
    #expect(second.job.state == state)
    #expect(!second.isNew)
  }

  @Test func `a unique job is added again once the first has ended`() throws {
    let store = try openStore()
    let first = try store.submit { $0.isUnique = true }
    let lease = try #require(try store.claimLease())
    try store.finish(lease, as: .completed(Completion()), now: start)
    #expect(try store.submit { $0.isUnique = true } != first)
  }

  @Test func `another input or another recipe makes another unique job`() throws {
    let store = try openStore()
    let ids = [
      try store.submit("a.mp4") { $0.isUnique = true },
      try store.submit("b.mp4") { $0.isUnique = true },
      try store.submit("a.mp4") {
        $0.isUnique = true
        $0.recipe.digest = "d2"
      },
      try store.submit("a.mp4"),
    ]
    #expect(Set(ids).count == 4)
  }

  @Test func `a request that is repeated adds nothing and gives the same jobs`() throws {
    let store = try openStore()
    let jobs = [newJob("a.mp4"), newJob("b.mp4")]
    let first = try store.submit(jobs, requestID: "r1", now: start)
    let again = try store.submit(jobs, requestID: "r1", now: start)
    #expect(again.map(\.job) == first.map(\.job))
    #expect(again.allSatisfy { !$0.isNew })
    #expect(try store.submit(jobs, requestID: "r2", now: start).allSatisfy(\.isNew))
  }

  @Test func `ten thousand jobs share one copy of their recipe`() throws {
    let store = try openStore()
    _ = try store.submit((0..<10_000).map { newJob("\($0).mp4") }, now: start)
    _ = try store.checkpoint()
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: queuePath)[.size] as? Int)
    #expect(size < 200 * 10_000)
  }
}

@Suite(.temporaryDirectory) struct DependencyTests {
  private func end(_ store: JobStore, _ ending: Ending = .completed(Completion())) throws {
    let lease = try #require(try store.claimLease())
    try store.finish(lease, as: ending, now: start)
  }

  @Test func `a job waits until all that it comes after are completed`() throws {
    let store = try openStore()
    let parents = [try store.submit(), try store.submit()]
    let child = try store.submit { $0.after = parents }
    try end(store)
    #expect(try store.job(child)?.state == .blocked)
    try end(store)
    #expect(try store.job(child)?.state == .available)
  }

  @Test func `a job that names its parent twice waits for it once`() throws {
    let store = try openStore()
    let parent = try store.submit()
    let child = try store.submit { $0.after = [parent, parent] }
    try end(store)
    #expect(try store.job(child)?.state == .available)
  }

  @Test func `a job after a completed one is available at once`() throws {
    let store = try openStore()
    let parent = try store.makeJob(in: .completed)
    let child = try store.submit { $0.after = [parent] }
    #expect(try store.job(child)?.state == .available)
  }

  @Test func `a job whose time has not come is scheduled when its parent ends`() throws {
    let store = try openStore()
    let parent = try store.submit()
    let child = try store.submit {
      $0.after = [parent]
      $0.due = start + 60
    }
    try end(store)
    #expect(try store.job(child)?.state == .scheduled)
    #expect(try store.events(of: child).last?.kind == .deferred)
    #expect(try store.nextDue() == start + 60)
  }

  @Test(arguments: [Ending.failed("no video", .permanent), .cancelled])
  func `a parent that does not complete fails its descendants, with the reason`(
    ending: Ending
  ) throws {
    let store = try openStore()
    let parent = try store.submit()
    let child = try store.submit { $0.after = [parent] }
    let grandchild = try store.submit { $0.after = [child] }
    try end(store, ending)
    let state = try #require(try store.job(parent)).state
    #expect(
      try store.job(child)?.error == "job \(parent), which it comes after, is \(state.name)")
    #expect(
      try store.job(grandchild)?.error == "job \(child), which it comes after, is failed")
    #expect(try store.job(grandchild)?.state == .failed)
    #expect(try store.job(grandchild)?.finishedAt == start)
  }

  @Test func `a job after a failed one fails as it is submitted`() throws {
    let store = try openStore()
    let parent = try store.makeJob(in: .failed)
    var new = newJob()
    new.after = [parent]
    #expect(try store.submit([new], now: start)[0].job.state == .failed)
  }

  @Test func `a job that runs after any ending runs after a failure`() throws {
    let store = try openStore()
    let parent = try store.submit()
    let child = try store.submit {
      $0.after = [parent]
      $0.runsAfterAny = true
    }
    try end(store, .failed("no video", .permanent))
    #expect(try store.job(child)?.state == .available)
  }

  @Test func `a chain of a thousand jobs fails to its end`() throws {
    let store = try openStore()
    var last = try store.submit()
    for _ in 0..<1000 { last = try store.submit { $0.after = [last] } }
    try end(store, .failed("no video", .permanent))
    #expect(try store.job(last)?.state == .failed)
  }
}
