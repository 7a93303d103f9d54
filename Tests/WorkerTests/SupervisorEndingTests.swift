import FoundationEssentials
import Glibc
import JobQueue
import Platform
import TestSupport
import Testing

@testable import Worker

/// How a supervisor ends what would not end by itself.
@Suite(.temporaryDirectory, .serialized, .timeLimit(.minutes(10))) struct SupervisorEndingTests {
  @Test func `a job without progress is ended as stalled and tried again`() throws {
    let pool = try ScriptedPool("stage; progress 1; [ $attempt = 1 ] && hang; made") {
      $0.stall = .seconds(2)
    }
    try pool.submit()
    try pool.run()
    #expect(try pool.job().state == .completed)
    let first = try pool.queue.attempts(of: 1)[0]
    #expect(first.outcome == .retrying)
    #expect(first.error == "stalled: no progress for 2.0 s")
    #expect(first.report.signal == SIGTERM)
    #expect(try names(in: "out") == ["clip"])
  }

  @Test func `a changing speed is no progress`() throws {
    let pool = try ScriptedPool("n=0; while :; do n=$((n + 1)); progress 5 $n; done") {
      $0.stall = .milliseconds(200)
    }
    try pool.submit { $0.maxAttempts = 1 }
    try pool.run()
    #expect(try pool.job().error?.hasPrefix("stalled") == true)
  }

  @Test func `progress ends a standstill, and time the supervisor missed is not counted`() throws {
    let pool = try ScriptedPool("progress 1")
    try pool.submit()
    let owner = try OwnerIdentity.ofThisProcess()
    let job = try pool.queue.claim(limit: 1, owner: owner, leaseUntil: .max, now: Date())[0]
    let request = JobRequest(
      job: 1, attempt: 1, input: job.input, recipe: "{}", recipeName: "r",
      staging: path("staging"), stem: "clip", threads: 1, supervisor: owner.pid)
    let lease = try #require(job.lease)
    let running = try RunningJob(job, lease, staging: path("staging"), maxMemory: nil)
    try running.prepare(request)
    let ends = running.descriptors
    let child = try ChildProcess(
      ChildProcess.Launch(
        "/bin/sh", [path("job.sh")], descriptors: [0: ends[0], 1: ends[1], 2: ends[2]]))
    running.begin(child)
    running.pass(.seconds(5))
    #expect(running.standstill == .seconds(5))
    _ = try child.wait()
    try running.readRest()
    #expect(running.standstill == .zero)
    #expect(running.age == .seconds(5))
    #expect(running.news?.frames == 1)
    running.newsAreStored()
    #expect(running.news == nil)
  }

  @Test func `a job past its timeout is ended however much progress it makes`() throws {
    let pool = try ScriptedPool("n=0; while :; do n=$((n + 1)); progress $n; done")
    try pool.submit {
      $0.timeout = .milliseconds(100)
      $0.maxAttempts = 1
    }
    try pool.run()
    #expect(try pool.job().state == .failed)
    #expect(try pool.job().error == "timed out after 0.1 s")
  }

  @Test func `a process that never stops logging keeps the pool from nothing`() throws {
    let pool = try ScriptedPool(
      "[ $job = 1 ] && exec yes 'the same warning again' >&2; stage; made"
    ) {
      $0.stall = .milliseconds(300)
      $0.processes = 2
    }
    try pool.submit("chatty") { $0.maxAttempts = 1 }
    try pool.submit("quiet")
    try pool.run()
    #expect(try pool.job(1).error?.hasPrefix("stalled") == true)
    #expect(try pool.job(2).state == .completed)
    let tail = try pool.queue.attempts(of: 1)[0].report.logTail ?? ""
    #expect(tail.utf8.count == LogTail.limit)
  }

  @Test func `cancelling ends a whole process group, by force where it does not listen`() throws {
    let pool = try ScriptedPool(
      #"""
      stage; trap '' TERM; exec 9>"$here/alive"
      sleep 600 & echo >"$here/ready"; wait
      """#)
    let alive = try openFIFO("alive")
    try pool.submit()
    try pool.when("ready") { _ = try pool.queue.cancel(1, now: Date()) }
    try pool.run()
    #expect(try pool.job().state == .cancelled)
    #expect(try pool.queue.attempts(of: 1)[0].report.signal == SIGKILL)
    #expect(try names(in: "out") == [])
    // Comes only when nobody holds the other end any more.
    #expect(try alive.readToEnd().isEmpty)
  }

  @Test func `a process that is told to end and listens ends by the signal`() throws {
    let pool = try ScriptedPool(#"stage; echo >"$here/ready"; hang"#) {
      $0.killDelay = .seconds(60)
    }
    try pool.submit()
    try pool.when("ready") { _ = try pool.queue.cancel(1, now: Date()) }
    try pool.run()
    #expect(try pool.queue.attempts(of: 1)[0].report.signal == SIGTERM)
    #expect(try pool.story().suffix(2) == ["cancel-requested", "cancelled"])
  }

  @Test func `a pool told to stop lets its jobs finish and claims no other`() throws {
    let pool = try ScriptedPool(#"echo >"$here/ready"; read x <"$here/go"; stage; made"#)
    try makeFIFO("go")
    try pool.submit("first")
    try pool.submit("second")
    try pool.when("ready") {
      pool.supervisor?.stop()
      try FileDescriptor.open(path("go"), .write).writeAll("\n")
    }
    #expect(try pool.run().completed == 1)
    #expect(try pool.job(1).state == .completed)
    #expect(try pool.job(2).state == .available)
    #expect(try pool.job(2).attempt == 0)
  }

  @Test func `a pool told twice gives its jobs back without counting the attempt`() throws {
    let pool = try ScriptedPool(#"stage; echo >"$here/ready"; hang"#)
    try pool.submit { $0.maxAttempts = 1 }
    try pool.when("ready") {
      pool.supervisor?.stop()
      pool.supervisor?.stop()
    }
    try pool.run()
    #expect(try pool.job().state == .available)
    #expect(try pool.job().failures == 0)
    #expect(try pool.job().crashes == 0)
    #expect(try pool.story().last == "released")
    #expect(try names(in: "out") == [])
  }

  @Test func `when the grace is over jobs are given back`() throws {
    let pool = try ScriptedPool(#"stage; echo >"$here/ready"; hang"#) {
      $0.grace = .milliseconds(50)
    }
    try pool.submit()
    try pool.when("ready") { pool.supervisor?.stop() }
    try pool.run()
    #expect(try pool.story().last == "released")
  }

  @Test func `a pool whose queue was deleted ends, and its jobs with it`() throws {
    let pool = try ScriptedPool(
      #"exec 9>"$here/alive"; stage; progress 1; echo >"$here/ready"; hang"#)
    let alive = try openFIFO("alive")
    try pool.submit()
    try pool.when("ready") { try Files.removeFile(path("queue.db")) }
    let error = #expect(throws: QueueError.self) { try pool.run() }
    #expect(error?.code == .moved)
    #expect(try alive.readToEnd().isEmpty)
    #expect(try names(in: "out") == [])
  }
}
