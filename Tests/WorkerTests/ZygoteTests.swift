import FoundationEssentials
import Glibc
import JobQueue
import Platform
import TestSupport
import Testing

@testable import Worker

/// The real pool, zygote and job processes.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct ZygoteTests {
  @Test func `a job process is the pool's own child, confined, and has what it needs and no more`()
    throws
  {
    let pool = try RealPool("--processes", "1", environment: ["A_SECRET": "s"])
    defer { pool.end() }
    try pool.beginJob("a")
    let pid = try pool.child("keymill-1")
    let job = try ProcessFacts(pid)
    #expect(job["PPid"] == "\(pool.process.pid)")
    #expect(getpgid(pid) == pid)
    #expect(job["NoNewPrivs"] == "1" && job["Seccomp"] == "2")
    #expect(try !job.variables.contains("A_SECRET"))
    let descriptors = try job.descriptors
    #expect(
      descriptors[1]?.hasPrefix("pipe:") == true && descriptors[2]?.hasPrefix("pipe:") == true)
    let others = descriptors.filter { $0.key > 2 }.values
    #expect(others.allSatisfy { $0 == path("a") || $0.hasPrefix(path("out/.keymill-1-1-")) })
    try pool.endJob(1, "a")
  }

  @Test func `a zygote has one thread, and nothing but its connection`() throws {
    let pool = try RealPool("--processes", "1", environment: ["A_SECRET": "s"])
    defer { pool.end() }
    try pool.beginJob("a")
    let zygote = try ProcessFacts(try pool.child("keymill-zygote"))
    #expect(zygote["Threads"] == "1")
    #expect(try zygote.descriptors.keys.sorted() == [0, 1, 2, 3])
    #expect(try !zygote.variables.contains("A_SECRET"))
    try pool.endJob(1, "a")
  }

  @Test func `jobs go on when the zygote is killed, and others begin`() throws {
    let pool = try RealPool("--processes", "2")
    defer { pool.end() }
    try pool.beginJob("a")
    let first = try pool.child("keymill-1")
    let old = try pool.child("keymill-zygote")
    #expect(kill(old, SIGKILL) == 0)
    try pool.waitForLog("the zygote ended with SIGKILL; starting another")
    try pool.beginJob("b")
    #expect(try pool.child("keymill-zygote") != old)
    #expect(try pool.child("keymill-2") > 0)
    #expect(try pool.child("keymill-1") == first)
    try pool.endJob(1, "a")
    try pool.endJob(2, "b")
    #expect(try pool.queue.job(1)?.crashes == 0)
  }

  @Test func `a job asked of a zygote that was stopped and killed gets its process`() throws {
    let pool = try RealPool("--processes", "1")
    defer { pool.end() }
    try pool.beginJob("a")
    try pool.endJob(1, "a")
    let old = try pool.child("keymill-zygote")
    #expect(kill(old, SIGSTOP) == 0)
    let watch = try pool.submitJob("b")
    #expect(kill(old, SIGKILL) == 0)
    try watch.wait()
    #expect(try pool.child("keymill-2") > 0)
    try pool.endJob(2, "b")
    #expect(try pool.queue.job(2)?.attempt == 1)
  }

  @Test func `zygote and jobs die with the pool`() throws {
    let pool = try RealPool("--processes", "1")
    defer { pool.end() }
    try pool.beginJob("a")
    let zygote = try ChildProcess(adopting: try pool.child("keymill-zygote"))
    let job = try ChildProcess(adopting: try pool.child("keymill-1"))
    pool.process.send(.kill)
    try waitForEnd(of: job)
    try waitForEnd(of: zygote)
  }

  @Test func `the size of a pool follows signals and wishes, and what runs may finish`() throws {
    let pool = try RealPool("--processes", "1")
    defer { pool.end() }
    try pool.beginJob("a")
    pool.process.send(.terminalInput)
    try pool.waitForLog("2 job processes instead of 1")
    try pool.beginJob("b")
    _ = try pool.queue.scale(to: 3)
    try pool.waitForLog("3 job processes instead of 2")
    pool.process.send(.terminalOutput)
    try pool.waitForLog("2 job processes instead of 3")
    // The same wish as before, which a signal has overruled meanwhile.
    _ = try pool.queue.scale(to: 3)
    try pool.waitForLog("3 job processes instead of 2")
    _ = try pool.queue.scale(to: 0)
    try pool.waitForLog("0 job processes instead of 3")
    #expect(try pool.child("keymill-1") > 0 && pool.child("keymill-2") > 0)
    try pool.endJob(1, "a")
    try pool.endJob(2, "b")
  }

  @Test func `a job that wants more memory than it may have is set aside, and the limit named`()
    throws
  {
    let pool = try RealPool("--processes", "1", "--max-memory", "64M", "--cpu-threads", "16")
    defer { pool.end() }
    try pool.beginJob("a")
    try pool.waitForLog("job 1 a: quarantined")
    let job = try #require(try pool.queue.job(1))
    #expect(job.crashes == 3 && job.failures == 0)
    #expect(job.error?.contains("--max-memory allows") == true)
  }
}
