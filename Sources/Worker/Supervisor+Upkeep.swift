import FoundationEssentials
import JobQueue
import Platform

extension Supervisor {
  /// Looks after running jobs twice a second, and not at all while there are none.
  func watchRunning() {
    guard !running.isEmpty, tickTimer == nil else { return }
    tickTimer = loop.schedule(after: options.tick) { [unowned self] in
      tickTimer = nil
      tick()
      watchRunning()
    }
  }

  private func tick() {
    for job in running.values {
      job.killIfOverdue()
      if job.standstill > options.stall {
        job.end(.stalled(options.stall), killAfter: options.killDelay)
      }
      if let timeout = job.job.timeout, BootClock.now - job.startedAt > timeout {
        job.end(.timedOut(timeout), killAfter: options.killDelay)
      }
    }
    attempt {
      try storeProgress()
      try renewLeases()
      for lease in try store.cancelRequests(to: owner) {
        running[lease.jobID]?.end(.cancelled, killAfter: options.killDelay)
      }
    }
  }

  private func storeProgress() throws {
    let news = running.values.compactMap { job in
      job.takeProgress().map { (lease: job.lease, progress: $0) }
    }
    if !news.isEmpty { giveUp(try store.update(news)) }
  }

  private func renewLeases() throws {
    guard BootClock.now - renewedAt >= options.lease / 3 else { return }
    let until = BootClock.nowMS + options.lease.milliseconds
    giveUp(try store.renew(running.values.map(\.lease), until: until))
    renewedAt = BootClock.now
  }

  /// Ends what runs under leases that are lost: somebody else runs it now.
  private func giveUp(_ leases: [Lease]) {
    for lease in leases {
      guard let job = running[lease.jobID], job.lease == lease else { continue }
      // At once: its successor may be writing already.
      job.end(.lostLease, killAfter: .zero)
      job.killIfOverdue()
    }
  }

  /// Takes jobs back from supervisors that are dead or past their leases, and removes what their
  /// attempts left on the disk.
  func takeOver() {
    attempt {
      let taken = try store.reclaim(
        by: owner, bootNow: BootClock.nowMS, now: Date(), isAlive: { $0.isAlive })
      for (id, state) in taken {
        guard let job = try store.job(id) else { continue }
        log("job \(id) \(Files.name(of: job.input)): \(state.name), its supervisor is gone")
        sweep(job)
      }
    }
  }

  /// Removes what all attempts of a job so far left on the disk: the last of them may have died a
  /// moment ago, or together with its supervisor.
  func sweep(_ job: Job) {
    for attempt in 1...max(1, job.attempt) {
      try? publisher.discard(Publisher.staging(for: job.output, job: job.id, attempt: attempt))
    }
  }

  /// Takes over when a lease has run out since the last look.
  func retakeExpired() {
    attempt {
      guard let expiry = try store.nextLeaseExpiry(), expiry <= BootClock.nowMS else { return }
      takeOver()
      look()
    }
  }
}
