import JobQueue
import Platform
import TestSupport
import Testing

@testable import Worker

/// Pools whose zygotes are no good: shell scripts that speak as much of the protocol as they like.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct JobLauncherTests {
  private static let ready = "printf ready >&3; "
  private static let readRequest = "dd bs=256 count=1 <&3 >/dev/null 2>&1; "

  /// A pool with one job, which its zygote does not run.
  private func pool(zygote: [String], patience: Duration = .seconds(60)) throws -> ScriptedPool {
    let pool = try ScriptedPool("stage; made") {
      $0.zygoteCommand = zygote
      $0.zygotePatience = patience
    }
    try pool.submit()
    return pool
  }

  private func warnings(of pool: ScriptedPool) -> [String] {
    pool.log.filter { $0.hasSuffix("jobs are started without one, which takes longer") }
  }

  @Test(arguments: [["/bin/false"], ["/nonexistent/keymill", "zygote"]])
  func `without a zygote that starts jobs run all the same, with one warning`(
    command: [String]
  ) throws {
    let pool = try pool(zygote: command)
    #expect(try pool.run().completed == 1)
    #expect(warnings(of: pool).count == 1)
    #expect(pool.log.count == 2)
    #expect(try pool.job().attempt == 1)
  }

  @Test func `a job asked of a zygote that dies is asked for again, and runs once`() throws {
    let pool = try pool(zygote: ["/bin/sh", "-c", Self.ready + Self.readRequest + "exit 3"])
    #expect(try pool.run().completed == 1)
    #expect(warnings(of: pool).count == 1)
    #expect(pool.log.count { $0 == "the zygote ended with exit 3; starting another" } == 2)
    #expect(try pool.story() == ["submitted", "claimed", "completed"])
  }

  @Test func `a zygote that does not answer is replaced`() throws {
    let pool = try pool(
      zygote: ["/bin/sh", "-c", Self.ready + "exec sleep 600"], patience: .milliseconds(50))
    #expect(try pool.run().completed == 1)
    #expect(warnings(of: pool).count == 1)
    #expect(pool.log.first == "the zygote does not answer; starting another")
    #expect(try pool.story() == ["submitted", "claimed", "completed"])
  }

  @Test func `a zygote that cannot fork leaves the job to be started anew`() throws {
    let pool = try pool(
      zygote: [
        "/bin/sh", "-c", Self.ready + Self.readRequest + "printf 'failed 1 11' >&3; cat <&3",
      ])
    #expect(try pool.run().completed == 1)
    #expect(pool.log.count == 1)
  }

  @Test func `as many jobs run at once as fit into the memory`() throws {
    // The second would wait for the first for ever if it were not alone.
    let pool = try ScriptedPool(
      "mkdir \"$here/alone\" || fail permanent 'not alone'; stage; rmdir \"$here/alone\"; made"
    ) {
      $0.processes = 4
      $0.maxMemory = 600
      $0.poolMemory = 1000
    }
    for name in ["a", "b", "c", "d"] { try pool.submit(name) }
    #expect(try pool.run().completed == 4)
    #expect(
      pool.log.first
        == "of 4 job processes 1 run at once: no more fit into memory")
  }

  @Test func `memory of its own that a job may have reaches it`() throws {
    let pool = try ScriptedPool(
      #"case $request in *'"maxMemory":600'*) stage; made ;; esac"#
    ) { $0.maxMemory = 600 }
    try pool.submit()
    #expect(try pool.run().completed == 1)
  }
}
