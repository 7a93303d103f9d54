import FoundationEssentials
import JobQueue
import Platform

/// An attempt whose process has ended, on its way into the queue.
struct Ended {
  let running: RunningJob
  let exit: Exit
}

extension Supervisor {
  /// Looks into the queue for what is due and fills the free places.
  ///
  /// The order matters for correctness: the bell was armed before, so a job committed while we look
  /// rings again.
  func look() {
    guard stopping == .no else { return stopIfDone() }
    attempt {
      _ = try store.promoteDue(now: Date())
      let free = processes - running.count - endings.count
      if free > 0 {
        let until = BootClock.nowMS + options.lease.milliseconds
        let jobs = try store.claim(limit: free, owner: owner, leaseUntil: until, now: Date())
        for job in jobs { start(job) }
      }
      try scheduleNextDue()
    }
    watchRunning()
    stopIfDone()
  }

  private func scheduleNextDue() throws {
    if let dueTimer { loop.cancel(dueTimer) }
    dueTimer = nil
    guard let due = try store.nextDue() else { return }
    let delay = max(0, due.timeIntervalSinceNow)
    dueTimer = loop.schedule(after: .seconds(min(delay, 3600))) { [unowned self] in look() }
  }

  private func start(_ job: Job) {
    guard let lease = job.lease else { return }
    do {
      let staging = Publisher.staging(for: job.output, job: job.id, attempt: job.attempt)
      sweep(job)
      let request = JobRequest(
        job: job.id, attempt: job.attempt, input: job.input, recipe: job.recipe.canonicalJSON,
        recipeName: job.recipe.name, staging: staging, stem: OutputPlace.stem(of: job.input),
        threads: options.threadsPerJob ?? max(1, CoreCount.available / max(1, processes)),
        supervisor: owner.pid)
      let running = try RunningJob(job, lease, request: request, executable: Executable.itself)
      self.running[job.id] = running
      try listen(to: running)
    } catch {
      log("job \(job.id): cannot be started: \(error)")
      attempt {
        try store.finish(lease, as: .failed("cannot be started: \(error)", .transient), now: Date())
      }
    }
  }

  private func listen(to running: RunningJob) throws {
    let id = running.job.id
    try loop.add(running.reports.rawValue) { [unowned self] events in
      try running.readReports()
      if events.contains(.hangup) { loop.remove(running.reports.rawValue) }
    }
    try loop.add(running.log.rawValue) { [unowned self] events in
      try running.readLog()
      if events.contains(.hangup) { loop.remove(running.log.rawValue) }
    }
    try loop.add(running.child.descriptor) { [unowned self] _ in
      guard let exit = try running.child.reap() else { return }
      loop.remove(running.child.descriptor)
      loop.remove(running.reports.rawValue)
      loop.remove(running.log.rawValue)
      try running.readReports()
      try running.readLog()
      self.running[id] = nil
      endings.append(Ended(running: running, exit: exit))
      settle()
      look()
    }
  }

  /// Brings ended attempts into the queue, and their outputs into place.
  func settle() {
    while let ended = endings.first {
      do {
        try settle(ended)
        endings.removeFirst()
      } catch {
        return put(off: error)
      }
    }
  }

  private func settle(_ ended: Ended) throws {
    let running = ended.running
    let report = AttemptReport(ended)
    let state: JobState?
    if let result = running.result, ended.exit.status.isSuccess, !running.isLost {
      state = try publish(result, of: running, report)
    } else {
      let ending = ending(of: ended)
      state = try store.finish(running.lease, as: ending, report: report, now: Date())
      try? publisher.discard(running.staging)
    }
    tell(ended, state: state)
  }

  private func publish(
    _ result: JobResult, of running: RunningJob, _ report: AttemptReport
  ) throws -> JobState? {
    if let trouble = publisher.keepTracks(of: result, in: running.staging) { log(trouble) }
    let completion = Completion(
      result: String(decoding: try JSONEncoder().encode(result), as: UTF8.self),
      isPartial: result.partial, warnings: result.warnings.count)
    do {
      let output = running.job.output
      let replaced = try store.publish(
        running.lease, completion, report: report, now: Date()
      ) { try publisher.put(running.staging, at: output) }
      guard let replaced else {
        try publisher.discard(running.staging)
        return nil
      }
      try publisher.settle(output, replaced: replaced)
      return .completed
    } catch let error as PlatformError {
      return try fail(running, error, permanently: false, report)
    } catch let error as OutputError {
      return try fail(running, error, permanently: true, report)
    }
  }

  private func fail(
    _ running: RunningJob, _ error: any Error, permanently: Bool, _ report: AttemptReport
  ) throws -> JobState? {
    defer { try? publisher.discard(running.staging) }
    return try store.finish(
      running.lease,
      as: .failed("cannot be published: \(error)", permanently ? .permanent : .transient),
      report: report, now: Date())
  }

  /// What the end of a process means for its job.
  private func ending(of ended: Ended) -> Ending {
    let running = ended.running
    switch running.reason {
    case .cancelled: return .cancelled
    case .stalled(let time):
      return .failed("stalled: no progress for \(time.words)", .transient)
    case .timedOut(let time):
      return .failed("timed out after \(time.words)", .transient)
    case .released: return .released("the pool stopped")
    case .lostLease: return .lost("another supervisor has the job")
    case nil: break
    }
    guard let failure = running.failure, case .exited = ended.exit.status else {
      return .crashed("the job process ended with \(ended.exit.status)")
    }
    switch failure.kind {
    case .permanent: return .failed(failure.message, .permanent)
    case .transient: return .failed(failure.message, .transient)
    case .noSpace:
      // Room seldom comes in less; looking costs a process start.
      return .postponed(failure.message, until: Date(timeIntervalSinceNow: 10))
    }
  }

  private func tell(_ ended: Ended, state: JobState?) {
    let job = ended.running.job
    let seconds = (BootClock.now - ended.running.startedAt).seconds
    let name = Files.name(of: job.input)
    switch state {
    case .completed:
      outcome.completed += 1
      let partial = ended.running.result?.partial == true ? ", in part" : ""
      log("job \(job.id) \(name): completed\(partial) in \(seconds) s → \(job.output)")
    case .failed, .quarantined:
      outcome.failed += 1
      log("job \(job.id) \(name): \(state?.name ?? "") after \(seconds) s: \(reason(ended))")
    case .some(let state):
      log("job \(job.id) \(name): \(state.name) after \(seconds) s: \(reason(ended))")
    case nil:
      log("job \(job.id) \(name): given up, another supervisor has it")
    }
  }

  private func reason(_ ended: Ended) -> String {
    switch ending(of: ended) {
    case .failed(let message, _), .crashed(let message), .lost(let message),
      .released(let message), .postponed(let message, _):
      message
    case .cancelled: "cancelled"
    case .completed: "its output could not be published"
    }
  }
}

extension RunningJob {
  /// Whether the job is another supervisor's now.
  fileprivate var isLost: Bool {
    if case .lostLease = reason { true } else { false }
  }
}

extension AttemptReport {
  fileprivate init(_ ended: Ended) {
    var (code, signal): (Int32?, Int32?) = (nil, nil)
    switch ended.exit.status {
    case .exited(let value): code = value
    case .signalled(let value): signal = value.rawValue
    }
    self.init(
      pid: ended.running.child.pid, exitCode: code, signal: signal,
      cpuTime: ended.exit.usage.cpuTime, peakRSS: Int64(ended.exit.usage.peakMemoryKiB) * 1024,
      logTail: ended.running.logTail.text)
  }
}
