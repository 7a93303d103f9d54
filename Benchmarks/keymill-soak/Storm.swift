import Glibc
import JobQueue
import Platform

/// Strikes at the processes of pools while they work, as far as the work has come.
///
/// The law that it is to be judged by says that a healthy job is not quarantined. So it kills no job's
/// process more than twice, and takes no supervisor away from a job that has lost three: once or twice
/// more, and the queue would be right to set the job aside. A poison job's process it kills each time.
struct Storm {
  /// What it does.
  enum Strike: Hashable {
    case killSupervisor, killZygote, killJob, freezeSupervisor
  }

  private let pools: Pools
  private let store: JobStore
  private let poison: Set<Job.ID>
  private let freezing: Duration
  private var plan: [Strike]
  private let strikes: Int
  private var dice: Dice
  private var crashes: [Job.ID: Int] = [:]
  private var lastStrike = BootClock.now
  /// How often it struck.
  private(set) var done: [Strike: Int] = [:]

  /// A storm of so many kills and freezes, in an order that `seed` gives.
  init(
    over pools: Pools, of store: JobStore, poison: Set<Job.ID>, kills: Int, freezes: Int,
    freezing: Duration, seed: Int
  ) {
    self.pools = pools
    self.store = store
    self.poison = poison
    self.freezing = freezing
    dice = Dice(seed: seed)
    // Of ten kills four are for supervisors, two for zygotes and four for jobs.
    let targets: [Strike] = [
      .killSupervisor, .killJob, .killZygote, .killSupervisor, .killJob, .killSupervisor, .killJob,
      .killZygote, .killSupervisor, .killJob,
    ]
    plan = (0..<kills).map { targets[$0 % targets.count] }
    plan += Array(repeating: .freezeSupervisor, count: freezes)
    plan.shuffle(using: &dice)
    strikes = plan.count
  }

  /// Whether all of it has come down.
  var isOver: Bool { plan.isEmpty }

  /// Strikes where it is time to, with `part` of the work done, 0…1.
  mutating func blow(part: Double) throws {
    killPoison()
    // All of it comes down while there is still work to disturb.
    let due = Int(min(1, part / 0.85) * Double(strikes))
    guard strikes - plan.count < due, BootClock.now - lastStrike > .milliseconds(15) else { return }
    // The first of the plan that finds a victim.
    for index in plan.indices.prefix(20) where try strike(plan[index]) {
      done[plan.remove(at: index), default: 0] += 1
      lastStrike = BootClock.now
      return
    }
  }

  private func killPoison() {
    for pool in pools.all {
      for child in PoolChild.all(of: pool.process.pid) {
        if case .job(let id) = child.role, poison.contains(id) { kill(child.pid, SIGKILL) }
      }
    }
  }

  private mutating func strike(_ strike: Strike) throws -> Bool {
    guard let pool = pools.all.filter({ $0.frozenUntil == nil }).randomElement(using: &dice)
    else { return false }
    let children = PoolChild.all(of: pool.process.pid)
    let jobs = children.compactMap { child in
      if case .job(let id) = child.role { (id: id, pid: child.pid) } else { nil }
    }
    switch strike {
    case .killSupervisor:
      guard try maySpare(pool) else { return false }
      pools.kill(pool)
    case .freezeSupervisor:
      guard pools.all.count(where: { $0.frozenUntil != nil }) < 2, !jobs.isEmpty,
        try maySpare(pool)
      else { return false }
      pools.freeze(pool, for: freezing)
    case .killZygote:
      // A fork without a name is younger than what it was forked from.
      guard let zygote = children.first(where: { $0.role == .zygote }) else { return false }
      kill(zygote.pid, SIGKILL)
    case .killJob:
      guard
        let job = jobs.filter({ !poison.contains($0.id) && crashes[$0.id, default: 0] < 2 })
          .randomElement(using: &dice)
      else { return false }
      crashes[job.id, default: 0] += 1
      kill(job.pid, SIGKILL)
    }
    return true
  }

  /// Whether all jobs of a pool may lose their supervisor once more, by what the queue says: it also
  /// knows of jobs that have no process yet, and of leases that ran out by themselves on a busy machine.
  private func maySpare(_ pool: Pools.Pool) throws -> Bool {
    var running = JobFilter()
    running.states = [.running]
    return try store.list(running)
      .allSatisfy { $0.ownerPID != pool.process.pid || $0.failures < 3 }
  }
}
