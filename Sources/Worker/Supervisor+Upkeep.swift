import FoundationEssentials
import JobQueue
import Platform
import Recipes

extension Supervisor {
  /// Looks after running jobs, and those whose tracks are being read, twice a second, and not at all
  /// while there are none.
  func watchRunning() {
    guard !running.isEmpty || !endings.isEmpty, tickTimer == nil else { return }
    let start = BootClock.now
    tickTimer = loop.schedule(after: options.tick) { [unowned self] in
      tickTimer = nil
      tick(after: BootClock.now - start)
      watchRunning()
    }
  }

  private func tick(after time: Duration) {
    for job in running.values {
      job.killIfOverdue()
      // A tick that comes much too late says that we stood still, not that the job did.
      job.pass(min(time, options.tick * 2))
      if job.standstill > options.stall {
        job.end(.stalled(options.stall), killAfter: options.killDelay)
      }
      if let timeout = job.job.timeout, job.age > timeout {
        job.end(.timedOut(timeout), killAfter: options.killDelay)
      }
    }
    attempt {
      if BootClock.now - renewedAt >= options.lease / 3 { try renewLeases() }
      try storeProgress()
      for lease in try store.cancelRequests(to: owner) {
        running[lease.jobID]?.end(.cancelled, killAfter: options.killDelay)
      }
    }
  }

  private func storeProgress() throws {
    let news = running.values.compactMap { job in
      job.news.map { (lease: job.lease, progress: $0) }
    }
    guard !news.isEmpty else { return }
    giveUp(try store.update(news))
    for (lease, _) in news { running[lease.jobID]?.newsAreStored() }
  }

  private func renewLeases() throws {
    let until = BootClock.nowMS + options.lease.milliseconds
    giveUp(try store.renew(running.values.map(\.lease) + endings.map(\.lease), until: until))
    renewedAt = BootClock.now
    try keepInputs()
  }

  /// Ends what runs under leases that are lost: somebody else runs it now.
  private func giveUp(_ leases: [Lease]) {
    for lease in leases {
      guard let job = running[lease.jobID], job.lease == lease else { continue }
      job.giveUp()
    }
  }
}

// MARK: - What no bell tells of

extension Supervisor {
  /// Looks for supervisors that died, leases that ran out, wishes for another size, and jobs whose
  /// submitter died between its commit and the ring or knows no bell.
  func patrol() {
    attempt {
      try store.checkFile()
      try recoverFromFreeze()
      takeOver()
      let version = try store.dataVersion()
      guard version != seenVersion else { return }
      seenVersion = version
      let wish = try store.desiredProcesses(of: owner)
      if let wish, wish != seenWish { resize(to: wish) }
      seenWish = wish
    }
    look()
  }

  /// After the whole machine slept, or all that runs in its container stood still, every lease has run
  /// out, and whoever wakes first must not take what the others are about to renew.
  ///
  /// For the length of a lease, the time in which nobody could renew is not held against them.
  private func recoverFromFreeze() throws {
    let (now, asleep) = (BootClock.now, options.timeAsleep())
    let gap = now - patrolledAt
    let frozen = gap > options.patrol + options.lease / 3 ? gap : .zero
    let lost = max(asleep - seenAsleep, frozen)
    (patrolledAt, seenAsleep) = (now, asleep)
    guard lost > .milliseconds(100) else { return }
    leniency = (grace: lost + options.lease / 3, until: now + options.lease)
    try renewLeases()
  }

  /// Takes jobs back from supervisors that are dead or past their leases, and removes what their
  /// attempts left on the disk.
  func takeOver() {
    attempt {
      let grace = BootClock.now < leniency.until ? leniency.grace : .zero
      let taken = try store.reclaim(
        by: owner, bootNow: BootClock.nowMS, now: Date(), grace: grace, isAlive: { $0.isAlive })
      for (id, state) in taken {
        guard let job = try store.job(id) else { continue }
        log("job \(id) \(job.inputName.fileName): \(state.name), its supervisor is gone")
        count(state)
        sweep(job)
      }
    }
  }

  /// Where an attempt of a job is made.
  func stagingPath(of job: Job, attempt: Int) -> String {
    Publisher.staging(for: job.output, job: job.id, attempt: attempt, queue: store.path)
  }

  /// Removes what all attempts of a job so far left on the disk: the last of them may have died a
  /// moment ago, or together with its supervisor.
  func sweep(_ job: Job) {
    for attempt in 1...max(1, job.attempt) {
      try? publisher.discard(stagingPath(of: job, attempt: attempt))
    }
  }
}
