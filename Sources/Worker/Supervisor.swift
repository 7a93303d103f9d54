import FoundationEssentials
public import JobQueue
import Platform

/// The pool: claims jobs from a queue, runs each in a process of its own, and publishes what they
/// make.
///
/// One event loop on one thread, and the only user of its store. It parses no media: a hostile file
/// ends a job process, not the pool.
public final class Supervisor {
  /// How a run of the pool went.
  public struct Outcome: Sendable {
    /// Jobs that were completed.
    public var completed = 0
    /// Jobs that failed for good or were quarantined.
    public var failed = 0
    /// Whether it was told to stop before nothing was left.
    public var wasInterrupted = false
  }

  let store: JobStore
  let options: SupervisorOptions
  let publisher: Publisher
  let log: (String) -> Void
  let loop: EventLoop
  let owner: OwnerIdentity
  let bell: Doorbell.Listener
  let launcher: JobLauncher
  let downloads: Downloads?
  let keeper: TrackKeeper
  private let signals: SignalWatch

  var processes: Int
  var running: [Job.ID: RunningJob] = [:]
  var endings: [EndedAttempt] = []
  var outcome = Outcome()
  var stopping = Stopping.no
  var hearsBell = false
  var dueTimer: EventLoop.Timer?
  var tickTimer: EventLoop.Timer?
  private var retryTimer: EventLoop.Timer?
  /// What the queue said that waiting does not mend.
  private var defect: (any Error)?

  // What the patrol has seen.
  var renewedAt = BootClock.now
  var patrolledAt = BootClock.now
  /// How long a lease may have run out before it is taken, up to when.
  var leniency = (grace: Duration.zero, until: Duration.zero)
  var seenAsleep: Duration
  /// How many jobs fit into the memory and the descriptors there are.
  private(set) var places: Int
  var seenVersion: Int64?
  var seenWish: Int?

  /// How far a stop has come.
  enum Stopping { case no, waiting, now }

  /// Opens the pool's ears: doorbell, signals and clock.
  ///
  /// From here on SIGTERM and the others in ``handle(_:)`` no longer end this process. The store is
  /// one opened for a supervisor; `log` gets one line for what a person who watches the pool wants to
  /// know.
  public init(
    store: JobStore, options: SupervisorOptions, publisher: Publisher,
    log: @escaping (String) -> Void
  ) throws {
    self.store = store
    self.options = options
    self.publisher = publisher
    self.log = log
    processes = max(1, options.processes)
    places = options.places
    seenAsleep = options.timeAsleep()
    owner = try OwnerIdentity.ofThisProcess()
    loop = try EventLoop()
    launcher = JobLauncher(loop: loop, options: options, log: log)
    downloads = options.downloads.map { [loop] in Downloads(loop, $0) }
    keeper = TrackKeeper(loop, cache: publisher.cache)
    bell = try Doorbell(besideQueue: store.path).listen()
    signals = try SignalWatch([
      .terminate, .interrupt, .hangup, .terminalInput, .terminalOutput,
    ])
  }

  /// Runs the pool until it is told to stop, or with `drains` until nothing is left.
  ///
  /// - Throws: what the queue says where waiting does not mend it; running jobs are then ended.
  public func run() throws -> Outcome {
    do {
      try loop.add(signals.descriptor) { [unowned self] _ in
        while let arrival = try signals.next() { handle(arrival.signal) }
      }
      try hearBell()
      launcher.start()
      loop.schedule(after: .zero) { [unowned self] in begin() }
      loop.schedule(every: .seconds(3600)) { [unowned self] in
        attempt { _ = try store.applyRetention(now: Date()) }
      }
      loop.schedule(every: options.patrol) { [unowned self] in patrol() }
      try loop.run()
      if let defect { throw defect }
    } catch {
      launcher.stop()
      running.values.forEach(abandon)
      downloads?.close()
      throw error
    }
    launcher.stop()
    downloads?.close()
    attempt { try store.deregister(owner) }
    attempt { _ = try store.checkpoint() }
    return outcome
  }

  private func begin() {
    sweepCache()
    attempt { try store.register(owner, host: Host.name, processes: processes, now: Date()) }
    tellOfPlaces()
    patrol()
  }

  /// Removes what processes that have died left in the cache, while the pool goes on.
  private func sweepCache() {
    do {
      try keeper.sweep { [unowned self] trouble in
        if let trouble { log(trouble) }
      }
    } catch {
      log("the audio cache cannot be swept: \(error)")
    }
  }

  private func tellOfPlaces() {
    guard processes > places else { return }
    let lack =
      places == options.placesByMemory ? "fit into memory" : "can be given descriptors (ulimit -n)"
    log("of \(processes) job processes \(places) run at once: no more \(lack)")
  }

  /// Reacts to a signal: the first to stop lets jobs finish, the second ends them.
  private func handle(_ signal: Signal) {
    switch signal {
    case .terminate, .interrupt: stop()
    case .terminalInput: resizeBySignal(to: processes + 1)
    case .terminalOutput: resizeBySignal(to: max(1, processes - 1))
    default: reload()
    }
  }

  /// Takes over what has changed on the machine: the size of a pool that follows the cores, the memory
  /// there is for all jobs, and, by a new zygote, the libraries that jobs have loaded.
  ///
  /// Jobs that run are not touched.
  private func reload() {
    log("reloading: a new zygote, and cores and memory as they are now")
    places = options.places
    if options.followsCores { resizeBySignal(to: CoreCount.available) }
    tellOfPlaces()
    launcher.renew()
    sweepCache()
    patrol()
  }

  /// Stops the pool: at first running jobs may finish, asked again they are ended.
  func stop() {
    switch stopping {
    case .no:
      stopping = .waiting
      outcome.wasInterrupted = true
      log("stopping: \(running.count) running jobs may finish; once more ends them now")
      loop.schedule(after: options.grace) { [unowned self] in releaseAll() }
    case .waiting, .now:
      releaseAll()
    }
    look()
  }

  private func releaseAll() {
    stopping = .now
    for job in running.values { job.end(.released, killAfter: options.killDelay) }
    settle()
  }

  /// Resizes as ``resize(to:)`` does, and puts the wish into the registry, so that an older one is not
  /// mistaken for a new one.
  private func resizeBySignal(to wanted: Int) {
    let count = max(0, wanted)
    seenWish = count
    attempt { try store.scale(to: count, supervisor: owner.supervisor) }
    resize(to: count)
  }

  /// Changes the number of job processes; what runs beyond it may finish.
  func resize(to wanted: Int) {
    let count = max(0, wanted)
    guard count != processes else { return }
    log("\(count) job processes instead of \(processes)")
    processes = count
    tellOfPlaces()
    attempt { try store.register(owner, host: Host.name, processes: count, now: Date()) }
    look()
  }

  /// Ends the loop where nothing is left for it to do.
  func stopIfDone() {
    guard running.isEmpty, endings.isEmpty else { return }
    if stopping != .no { return loop.stop() }
    guard options.drains else { return }
    attempt { if try store.backlogIsEmpty() { loop.stop() } }
  }

  /// Does something with the queue that can wait: when another process holds it too long, or its disk
  /// is full, it is tried again soon.
  func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      put(off: error)
    }
  }

  /// Notes that the queue could not take something.
  ///
  /// What may pass is tried again soon; for the rest, such as a queue file that was deleted, the pool
  /// has to end.
  func put(off error: any Error) {
    switch error {
    case QueueError.Code.busy:
      retrySoon(after: .milliseconds(20))
    case QueueError.Code.full, QueueError.Code.io:
      if retryTimer == nil { log("\(error)") }
      retrySoon(after: .seconds(1))
    default:
      defect = error
      loop.stop()
    }
  }

  private func retrySoon(after delay: Duration) {
    guard retryTimer == nil else { return }
    retryTimer = loop.schedule(after: delay) { [unowned self] in
      retryTimer = nil
      settle()
      look()
    }
  }
}
