import FoundationEssentials
import JobQueue
import Platform
import Recipes

extension Supervisor {
  /// Looks into the queue for what is due and fills the free places.
  ///
  /// The order matters for correctness: the bell was armed before, so a job committed while we look
  /// rings again.
  func look() {
    attempt {
      if stopping == .no {
        _ = try store.fireDueSchedules(now: Date())
        _ = try store.promoteDue(now: Date())
        let free = freePlaces
        if free > 0 {
          let until = BootClock.nowMS + options.lease.milliseconds
          let jobs = try store.claim(limit: free, owner: owner, leaseUntil: until, now: Date())
          for job in jobs { start(job) }
        }
        try scheduleNextDue()
      }
      try mindBell()
    }
    watchRunning()
    stopIfDone()
  }

  private var freePlaces: Int {
    min(processes, places) - running.count - endings.count
  }

  /// Hears the bell only while there is a place free.
  ///
  /// A ring that we could not follow is for another pool on the same queue; whoever fills its last
  /// place rings on, since there may be more.
  private func mindBell() throws {
    let wants = stopping == .no && freePlaces > 0
    guard wants != hearsBell else { return }
    guard !wants else { return try hearBell() }
    hearsBell = false
    loop.remove(bell.descriptor)
    try? Doorbell(besideQueue: store.path).ring()
  }

  /// Looks into the queue whenever somebody rings.
  func hearBell() throws {
    try loop.add(bell.descriptor) { [unowned self] _ in
      _ = try bell.drain()
      look()
    }
    hearsBell = true
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
    let staging = stagingPath(of: job, attempt: job.attempt)
    sweep(job)
    do {
      let running = try RunningJob(
        job, lease, staging: staging, maxMemory: options.maxMemory)
      self.running[job.id] = running
      try listen(to: running)
      guard job.inputName.isURL else { return launch(running, on: job.input) }
      try download(for: running)
    } catch {
      giveBack(job, lease, staging, because: error)
    }
  }

  /// Has the process of a job started, on the file that is its input.
  func launch(_ running: RunningJob, on file: String) {
    do {
      try running.prepare(request(for: running.job, staging: running.staging, file: file))
      launcher.launch(running.descriptors) { [unowned self] in begin(running, $0) }
    } catch {
      giveBack(running.job, running.lease, running.staging, because: error)
    }
  }

  private func request(for job: Job, staging: String, file: String) -> JobRequest {
    let name = job.inputName
    return JobRequest(
      job: job.id, attempt: job.attempt, input: file, source: name.isURL ? name.shown : nil,
      recipe: job.recipe.canonicalJSON, recipeName: job.recipe.name, staging: staging,
      stem: OutputPlace.stem(of: job.input),
      threads: options.threadsPerJob ?? max(1, CoreCount.available / max(1, processes)),
      maxMemory: options.maxMemory, maxFileSize: options.maxFileSize,
      queue: Publisher.mark(ofQueue: store.path),
      adoptable: job.isForced ? nil : job.output, supervisor: owner.pid)
  }

  private func begin(_ running: RunningJob, _ child: Result<ChildProcess, any Error>) {
    do {
      let child = try child.get()
      running.begin(child)
      try listen(to: running, child)
    } catch {
      giveBack(running.job, running.lease, running.staging, because: error)
    }
  }

  /// Ends an attempt whose process could not be started.
  private func giveBack(_ job: Job, _ lease: Lease, _ staging: String, because error: any Error) {
    if let running = running.removeValue(forKey: job.id) { abandon(running) }
    endings.append(
      EndedAttempt(
        job, lease, staging: staging, notStarted: error,
        retryAt: Date() + options.spaceWait / .seconds(1)))
    settle()
  }

  private func listen(to running: RunningJob) throws {
    try loop.add(running.reports.rawValue) { [unowned self] events in
      try running.readReports()
      if running.awaitsAnswer { try answer(running) }
      if events == .hangup { loop.remove(running.reports.rawValue) }
    }
    try loop.add(running.log.rawValue) { [unowned self] events in
      try running.readLog()
      if events == .hangup { loop.remove(running.log.rawValue) }
    }
  }

  /// Tells a job process which outputs were made earlier of the bytes that it has found in its input.
  ///
  /// Only names are looked up here: whether an output is still whole the process sees.
  private func answer(_ running: RunningJob) throws {
    var memos: [Memo] = []
    if !running.job.isForced, let key = MemoKey(running.identity, of: running.job) {
      // Where the queue cannot be asked now, the output is made anew.
      memos = (try? store.memos(for: key)) ?? []
    }
    try running.answer(
      JobAnswer(
        memos: memos.filter { $0.output != running.job.output }
          .map { JobAnswer.Memo(job: $0.job, output: $0.output) }))
  }

  private func listen(to running: RunningJob, _ child: ChildProcess) throws {
    try loop.add(child.descriptor) { [unowned self] _ in
      guard let exit = try child.reap() else { return }
      stopListening(to: running)
      try running.readRest()
      self.running[running.job.id] = nil
      endings.append(
        EndedAttempt(running, exit, spaceWait: options.spaceWait, now: Date()))
      settle()
      look()
    }
  }

  func stopListening(to running: RunningJob) {
    if let child = running.child { loop.remove(child.descriptor) }
    loop.remove(running.reports.rawValue)
    loop.remove(running.log.rawValue)
  }

  /// Kills a job process of which nothing more is wanted, and waits for its end.
  func abandon(_ running: RunningJob) {
    stopListening(to: running)
    running.download?.abandon()
    running.child?.sendToGroup(.kill)
    _ = try? running.child?.wait()
    try? publisher.discard(running.staging)
  }
}
