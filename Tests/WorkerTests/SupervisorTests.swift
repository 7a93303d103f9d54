import FoundationEssentials
import JobQueue
import Platform
import TestSupport
import Testing

@testable import Worker

/// How attempts end, each in a process of its own.
@Suite(.temporaryDirectory, .serialized, .timeLimit(.minutes(10))) struct SupervisorTests {
  @Test func `a job's output is published whole and nothing else is left`() throws {
    let pool = try ScriptedPool("stage; progress 3; made")
    try pool.submit()
    #expect(try pool.run().completed == 1)
    #expect(try pool.job().state == .completed)
    #expect(try text("out/clip/made") == "attempt 1\n")
    #expect(try names(in: "out") == ["clip"])
    let attempt = try #require(try pool.queue.attempts(of: 1).first)
    #expect(attempt.report.exitCode == 0)
    #expect(attempt.report.pid != nil && attempt.report.peakRSS ?? 0 > 0)
  }

  @Test func `jobs run side by side up to the number of processes`() throws {
    // Each waits for the other: one at a time they would wait for ever.
    let pool = try ScriptedPool(
      #"""
      case $job in
      1) echo >"$here/a"; read x <"$here/b" ;;
      2) read x <"$here/a"; echo >"$here/b" ;;
      esac
      stage; made
      """#
    ) { $0.processes = 2 }
    try makeFIFO("a")
    try makeFIFO("b")
    try pool.submit("one")
    try pool.submit("two")
    #expect(try pool.run().completed == 2)
  }

  @Test func `a crash is followed by another attempt`() throws {
    let pool = try ScriptedPool("stage; [ $attempt = 1 ] && kill -SEGV $$; made")
    try pool.submit()
    try pool.run()
    #expect(try pool.story() == ["submitted", "claimed", "crashed", "claimed", "completed"])
    #expect(try pool.job().failures == 0)
    #expect(try text("out/clip/made") == "attempt 2\n")
    #expect(try names(in: "out") == ["clip"])
  }

  @Test func `the third crash puts a job into quarantine, with its signal and last words`() throws {
    let pool = try ScriptedPool(#"stage; echo "last words of $attempt" >&2; kill -SEGV $$"#)
    try pool.submit()
    #expect(try pool.run().failed == 1)
    let job = try pool.job()
    #expect(job.state == .quarantined)
    #expect(job.error == "the job process ended with SIGSEGV")
    let attempts = try pool.queue.attempts(of: 1)
    #expect(attempts.map(\.report.signal) == [11, 11, 11])
    #expect(attempts.map(\.report.logTail) == (1...3).map { "last words of \($0)\n" })
    #expect(try names(in: "out") == [])
  }

  @Test func `a process that exits well without a result has crashed`() throws {
    let pool = try ScriptedPool("[ $attempt = 1 ] && exit 0; stage; made")
    try pool.submit()
    try pool.run()
    let attempts = try pool.queue.attempts(of: 1)
    #expect(attempts.map(\.error) == ["the job process ended without a result", nil])
  }

  @Test func `a result from a process that then fails is not published`() throws {
    let pool = try ScriptedPool("stage; made; exit 3")
    try pool.submit()
    try pool.run()
    #expect(try pool.job().state == .quarantined)
    #expect(try names(in: "out") == [])
  }

  @Test func `a permanent failure is not tried again`() throws {
    let pool = try ScriptedPool("stage; fail permanent 'clip.mp4: no video stream'")
    try pool.submit()
    #expect(try pool.run().failed == 1)
    #expect(try pool.job().error == "clip.mp4: no video stream")
    #expect(try pool.story() == ["submitted", "claimed", "failed"])
    #expect(try names(in: "out") == [])
    #expect(pool.log.count == 1 && pool.log[0].hasSuffix("clip.mp4: no video stream"))
  }

  @Test func `a transient failure is tried again until the attempts are used up`() throws {
    let pool = try ScriptedPool("fail transient 'read error'")
    try pool.submit { $0.maxAttempts = 3 }
    #expect(try pool.run().failed == 1)
    #expect(try pool.job().attempt == 3)
    #expect(try pool.story().count { $0 == "retrying" } == 2)
  }

  @Test func `a job that finds no room waits without losing an attempt`() throws {
    let pool = try ScriptedPool("[ $attempt -lt 4 ] && fail noSpace 'disk full'; stage; made")
    try pool.submit { $0.maxAttempts = 1 }
    try pool.run()
    #expect(try pool.job().state == .completed)
    #expect(try pool.job().failures == 0)
    #expect(try pool.story().count { $0 == "postponed" } == 3)
  }

  @Test func `what is no report goes to the log and harms nothing`() throws {
    let pool = try ScriptedPool(
      #"""
      echo 'a library says hello'; echo '{"made":{}}'; printf '\377\001\n'
      stage; made; printf 'no line end'
      """#)
    try pool.submit()
    try pool.run()
    #expect(try pool.job().state == .completed)
    let log = try pool.queue.attempts(of: 1)[0].report.logTail ?? ""
    #expect(log.hasPrefix("a library says hello\n{\"made\":{}}\n"))
  }

  @Test func `a program that cannot be started fails its jobs and not the pool`() throws {
    let pool = try ScriptedPool("") { $0.jobCommand = ["/nonexistent/keymill", "run-job"] }
    try pool.submit { $0.maxAttempts = 2 }
    #expect(try pool.run().failed == 1)
    #expect(try pool.job().error?.hasPrefix("cannot be started: /nonexistent/keymill: ") == true)
    #expect(try pool.story().suffix(2) == ["claimed", "failed"])
  }

  @Test func `a request longer than a pipe arrives whole`() throws {
    let pool = try ScriptedPool(
      #"[ ${#request} -gt 300000 ] || fail permanent "${#request} bytes"; stage; made"#)
    let recipe = "{\"key\":\"" + String(repeating: "x", count: 300_000) + "\"}"
    try pool.submit {
      $0.recipe = JobRecipe(name: "long", digest: "l", canonicalJSON: recipe)
    }
    try pool.run()
    #expect(try pool.job().error == nil)
    #expect(try pool.job().state == .completed)
  }

  @Test func `a directory that appeared in the output's place is left alone`() throws {
    let pool = try ScriptedPool(
      #"stage; mkdir "$here/out/clip"; echo mine >"$here/out/clip/photo"; made"#)
    try pool.submit()
    try pool.run()
    #expect(try pool.job().state == .failed)
    #expect(try pool.job().error?.contains("a directory that keymill did not make") == true)
    #expect(pool.log.first?.contains("a directory that keymill did not make") == true)
    #expect(try names(in: "out") == ["clip"])
    #expect(try names(in: "out/clip") == ["photo"])
  }

  @Test func `an output asked for twice stays the new one`() throws {
    let pool = try ScriptedPool("")
    try makeOutput("out/clip", of: "/in/clip.mp4", "old")
    try makeOutput("out/.keymill-1-1", of: "/in/clip.mp4", "new")
    try pool.submit()
    let owner = try OwnerIdentity.ofThisProcess()
    let job = try pool.queue.claim(limit: 1, owner: owner, leaseUntil: .max, now: Date())[0]
    let attempt = EndedAttempt(
      job, try #require(job.lease), staging: path("out/.keymill-1-1"),
      notStarted: CocoaError(.featureUnsupported), retryAt: Date())
    attempt.plan = .install(try OutputPlace.tenant(of: job.output))
    for _ in 0..<2 {
      guard case .installed(.exchanged) = try attempt.publish() else {
        Issue.record("not exchanged")
        continue
      }
    }
    #expect(try text("out/clip/made") == "new")
  }
}
