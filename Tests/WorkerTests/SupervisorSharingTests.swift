import FoundationEssentials
import JobQueue
import Platform
import TestSupport
import Testing

@testable import Worker

/// How supervisors share a queue, and how they wake.
@Suite(.temporaryDirectory, .serialized, .timeLimit(.minutes(10))) struct SupervisorSharingTests {
  /// A supervisor that is not the pool's, in a process that lives.
  private func livingOwner() throws -> OwnerIdentity { try OwnerIdentity.ofThisProcess() }

  /// A supervisor whose process is gone: another has its number now.
  private func deadOwner() throws -> OwnerIdentity {
    var owner = try OwnerIdentity.ofThisProcess()
    owner.startTime += 1
    return owner
  }

  @Test func `draining an empty queue ends at once`() throws {
    #expect(try ScriptedPool("").run().completed == 0)
  }

  @Test func `the bell wakes an idle pool`() throws {
    let pool = try ScriptedPool(#"stage; made; echo >"$here/done""#)
    // Keeps the pool from ending: no patrol comes, and no job is due, for ten minutes.
    let later = try pool.submit("later") { $0.due = Date() + 600 }
    let loop = try #require(pool.supervisor?.loop)
    loop.schedule(after: .milliseconds(1)) {
      try pool.submit("now")
      try pool.ring()
    }
    try pool.when("done") {
      _ = try pool.queue.cancel(later, now: Date())
      try pool.ring()
    }
    #expect(try pool.run().completed == 1)
  }

  @Test func `a full pool leaves the bell to others`() throws {
    let pool = try ScriptedPool(#"echo >"$here/ready"; read x <"$here/go"; stage; made"#)
    try makeFIFO("go")
    try pool.submit()
    let other = try Doorbell(besideQueue: pool.queue.path).listen()
    try pool.when("ready") {
      #expect(try other.drain(), "who fills its last place rings on")
      try pool.ring()
      pool.supervisor?.loop.schedule(after: .milliseconds(1)) {
        #expect(try other.drain(), "the full pool took a ring that it cannot follow")
        try FileDescriptor.open(path("go"), .write).writeAll("\n")
      }
    }
    #expect(try pool.run().completed == 1)
  }

  @Test func `the jobs of a dead supervisor are taken at once and its traces removed`() throws {
    let pool = try ScriptedPool("stage; made")
    try pool.submit()
    _ = try pool.queue.claim(
      limit: 1, owner: try deadOwner(), leaseUntil: .max, now: Date())
    let staging = Publisher.staging(
      for: path("out/clip"), job: 1, attempt: 1, queue: pool.queue.path)
    try write("half", to: "out/\(Files.name(of: staging))/frames/000001.png")
    #expect(try pool.run().completed == 1)
    #expect(try pool.queue.attempts(of: 1).first?.error == "its supervisor died")
    #expect(try names(in: "out") == ["clip"])
  }

  @Test func `a lease that ran out passes to another supervisor`() throws {
    let pool = try ScriptedPool("stage; made")
    try pool.submit()
    _ = try pool.queue.claim(limit: 1, owner: try livingOwner(), leaseUntil: 1, now: Date())
    #expect(try pool.run().completed == 1)
    #expect(
      try pool.queue.attempts(of: 1).first?.error == "its supervisor let the lease run out")
  }

  @Test func `after a freeze others may renew before their leases are taken`() throws {
    let pool = try ScriptedPool("stage; made")
    try pool.submit()
    let ranOut = BootClock.nowMS - 1000
    _ = try pool.queue.claim(limit: 1, owner: try livingOwner(), leaseUntil: ranOut, now: Date())
    let supervisor = try #require(pool.supervisor)
    supervisor.patrolledAt -= .seconds(3600)
    supervisor.loop.schedule(after: .milliseconds(1)) {
      let state = try pool.job().state
      #expect(state == .running)
      supervisor.leniency.until = .zero
      supervisor.patrol()
    }
    #expect(try pool.run().completed == 1)
  }

  @Test func `time in which the machine slept is not held against other supervisors`() throws {
    let sleep = Sleep()
    let pool = try ScriptedPool("stage; made") { $0.timeAsleep = { sleep.time } }
    try pool.submit()
    let ranOut = BootClock.nowMS - 20_000
    _ = try pool.queue.claim(limit: 1, owner: try livingOwner(), leaseUntil: ranOut, now: Date())
    let supervisor = try #require(pool.supervisor)
    sleep.time = .seconds(25)
    supervisor.loop.schedule(after: .milliseconds(1)) {
      let state = try pool.job().state
      #expect(state == .running)
      supervisor.leniency.until = .zero
      supervisor.patrol()
    }
    #expect(try pool.run().completed == 1)
  }

  @Test func `an attempt whose lease was lost publishes nothing`() throws {
    let pool = try ScriptedPool(#"echo >"$here/ready"; read x <"$here/go"; stage; made"#) {
      $0.tick = .seconds(600)
    }
    try makeFIFO("go")
    try pool.submit()
    try pool.when("ready") {
      try takeFrom(pool)
      try FileDescriptor.open(path("go"), .write).writeAll("\n")
    }
    #expect(try pool.run().completed == 0)
    #expect(try names(in: "out") == [])
    #expect(try pool.job().state == .cancelled)
    #expect(pool.log.last?.contains("another supervisor has it") == true)
  }

  @Test func `a job whose lease was lost is killed`() throws {
    let pool = try ScriptedPool(
      #"stage; exec 9>"$here/alive"; trap '' TERM; progress 1; echo >"$here/ready"; hang"#
    ) {
      $0.lease = .milliseconds(100)
      $0.killDelay = .seconds(600)
    }
    let alive = try openFIFO("alive")
    try pool.submit()
    try pool.when("ready") { try takeFrom(pool) }
    #expect(try pool.run().completed == 0)
    #expect(try alive.readToEnd().isEmpty)
    #expect(try names(in: "out") == [])
  }

  /// How long the machine has slept.
  private final class Sleep {
    var time = Duration.zero
  }

  /// Takes job 1 from the pool, as another supervisor would, and ends it.
  private func takeFrom(_ pool: ScriptedPool) throws {
    let other = try livingOwner()
    _ = try pool.queue.reclaim(by: other, bootNow: .max, now: Date()) { _ in true }
    let job = try pool.queue.claim(limit: 1, owner: other, leaseUntil: .max, now: Date()).first
    if let lease = job?.lease { try pool.queue.finish(lease, as: .cancelled, now: Date()) }
  }

  @Test func `two supervisors never run one job at once`() async throws {
    let script = #"""
      mkdir "$here/running-$job" || echo "$job" >>"$here/twice"
      stage; rmdir "$here/running-$job"; echo "$job" >>"$here/ran-$job"; made
      """#
    let pool = try ScriptedPool(script)
    for number in 1...40 { try pool.submit("clip\(number)") }
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [directory = TemporaryDirectory.path as String, script = script as String] in
            try TemporaryDirectory.$path.withValue(directory) {
              let pool = try ScriptedPool(script) {
                $0.processes = 2
                $0.patrol = .milliseconds(50)
              }
              try pool.run()
            }
          }
        }
      }
    }
    #expect(try pool.queue.stats().count(.completed) == 40)
    #expect(try pool.queue.events(after: 0).count { $0.kind == .claimed } == 40)
    #expect(try names(in: "").filter { $0 == "twice" || $0.hasPrefix("running-") } == [])
    for number in 1...40 { #expect(try text("ran-\(number)") == "\(number)\n") }
  }
}
