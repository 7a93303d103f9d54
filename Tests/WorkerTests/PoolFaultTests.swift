import FoundationEssentials
import JobQueue
import Platform
import TestSupport
import Testing

@testable import Worker

/// The real pool, when something happens to what it stands on.
@Suite(.temporaryDirectory, .serialized, .timeLimit(.minutes(10))) struct PoolFaultTests {
  /// Starts a pool with a running job, does something to its queue file, and waits for both to end.
  private func end(_ message: String, after fault: (String) throws -> Void) throws {
    let pool = try RealPool("--processes", "1")
    defer { pool.end() }
    try pool.beginJob("a")
    let job = try ChildProcess(adopting: try pool.child("keymill-1"))
    try fault(path("queue.db"))
    try pool.waitForLog(message)
    #expect(try pool.process.wait().status == .exited(74))
    try waitForEnd(of: job)
    #expect(try names(in: "out") == [])
  }

  @Test func `a pool whose queue was deleted says so and ends, with its jobs`() throws {
    try end("the queue file was moved, deleted or replaced while in use") {
      try Files.removeFile($0)
    }
  }

  @Test func `a pool whose queue was replaced says so and ends, with its jobs`() throws {
    try end("the queue file was moved, deleted or replaced while in use") {
      try AtomicFile.write("another", to: $0)
    }
  }

  @Test func `a pool whose queue was cut off says so and ends, with its jobs`() throws {
    try end("the queue file was cut off while in use") {
      try FileDescriptor.open($0, .write).close()
    }
  }

  @Test func `SIGHUP brings a new zygote, and leaves what runs alone`() throws {
    let pool = try RealPool("--processes", "2")
    defer { pool.end() }
    try pool.beginJob("a")
    let (zygote, job) = (try pool.child("keymill-zygote"), try pool.child("keymill-1"))
    pool.process.send(.hangup)
    try pool.waitForLog("reloading: ")
    try pool.beginJob("b")
    #expect(try pool.child("keymill-zygote") != zygote)
    #expect(try pool.child("keymill-1") == job)
    try pool.endJob(1, "a")
    try pool.endJob(2, "b")
  }

  @Test func `a job that cannot be started for want of descriptors waits at no cost`() throws {
    let pool = try ScriptedPool("")
    try pool.submit()
    let owner = try OwnerIdentity.ofThisProcess()
    let job = try pool.queue.claim(limit: 1, owner: owner, leaseUntil: .max, now: Date())[0]
    let error = PlatformError(code: .tooManyOpen, call: "pipe2", subject: "pipe")
    let attempt = EndedAttempt(
      job, try #require(job.lease), staging: path("out/s"), notStarted: error, retryAt: Date() + 9)
    guard case .over(let ending) = attempt.outcome else {
      Issue.record("not over")
      return
    }
    #expect(try pool.queue.finish(attempt.lease, as: ending, now: Date()) == .scheduled)
    #expect(try pool.job().failures == 0)
    #expect(try pool.job().error?.hasPrefix("cannot be started: ") == true)
  }

  @Test func `no more jobs run at once than can be given descriptors`() throws {
    let pool = try ScriptedPool(
      "mkdir \"$here/alone\" || fail permanent 'not alone'; stage; rmdir \"$here/alone\"; made"
    ) {
      $0.processes = 4
      $0.descriptorLimit = 64 + 7
    }
    for name in ["a", "b", "c"] { try pool.submit(name) }
    #expect(try pool.run().completed == 3)
    #expect(
      pool.log.first
        == "of 4 job processes 1 run at once: no more can be given descriptors (ulimit -n)")
  }

  @Test func `the log says what comes after a failure and a crash`() throws {
    let pool = try ScriptedPool(
      "[ $attempt = 1 ] && fail transient 'no luck'; [ $attempt = 2 ] && kill -9 $$; stage; made")
    try pool.submit()
    try pool.run()
    #expect(pool.log[0].hasPrefix("job 1 clip.mp4: no luck; tries again in "))
    #expect(pool.log[0].hasSuffix(" s (attempt 2 of 5)"))
    #expect(
      pool.log[1]
        == "job 1 clip.mp4: the job process ended with SIGKILL; tries again (crash 1 of 3)")
  }

  @Test func `a crash of a job with a memory limit names the limit`() throws {
    let pool = try ScriptedPool("kill -SEGV $$") { $0.maxMemory = 64_000_000 }
    try pool.submit()
    try pool.run()
    #expect(try pool.job().state == .quarantined)
    let error = try pool.job().error
    #expect(error?.contains("ended with SIGSEGV, perhaps because it wanted more memory") == true)
    #expect(error?.contains("--max-memory allows it (64 MB)") == true)
  }
}
