import FoundationEssentials
import Glibc
import JobQueue
import Platform

/// A job that takes many leases' time, beside pools that would be glad to have it.
struct LongJobDrill {
  private let room: Room
  private let leases: Int

  init(_ room: Room, leases: Int) {
    self.room = room
    self.leases = leases
  }

  /// Runs it.
  func run() throws -> [Check] {
    let work = try Work("stills", room.sample("sprite-magenta.mp4"), in: room)
    let store = try JobStore(path: room.queue, role: .client)
    var job = work.job(1, in: room)
    job.isForced = true
    let id = try store.submit([job], now: Date())[0].job.id
    let lease = Duration.seconds(1)
    let pools = try Pools(3, room: room, lease: lease)
    defer { pools.abandon() }
    try wait(for: "the job to begin") { process(of: id, in: pools) != nil }
    // It takes as long as it is made to: its process stands still while its supervisor does not.
    guard let process = process(of: id, in: pools) else { throw SoakError("the job is gone") }
    kill(process, SIGSTOP)
    let start = BootClock.now
    try wait(for: "time to pass") { BootClock.now - start > lease * leases }
    kill(process, SIGCONT)
    try wait(for: "the job to end") { try store.job(id)?.state.isFinal == true }
    try pools.end()
    let claims = try store.events(of: id).count { $0.kind == .claimed }
    var violations = pools.troubles
    if claims != 1 { violations.append("it was begun \(claims) times") }
    if case .output(let expected) = work.expectation,
      let fault = StormVerdict.fault(of: job.output, expected)
    {
      violations.append(fault)
    }
    return [
      Check(
        promise: "a job that outlives its lease runs once",
        seen: "\(leases) leases of 1 s, 3 pools", violations: violations)
    ]
  }

  private func process(of id: Job.ID, in pools: Pools) -> Int32? {
    pools.all.lazy.flatMap { PoolChild.all(of: $0.process.pid) }.first { $0.role == .job(id) }?.pid
  }
}
