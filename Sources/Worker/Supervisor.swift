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
  }

  let store: JobStore
  let options: SupervisorOptions
  let publisher: Publisher
  let log: (String) -> Void
  let loop: EventLoop
  let owner: OwnerIdentity
  var processes: Int
  var running: [Job.ID: RunningJob] = [:]
  var endings: [Ended] = []
  var outcome = Outcome()
  var stopping = Stopping.no
  var dueTimer: EventLoop.Timer?
  var tickTimer: EventLoop.Timer?
  var retryTimer: EventLoop.Timer?
  var renewedAt = BootClock.now
  private var seenVersion: Int64?
  private let bell: Doorbell.Listener
  private let signals: SignalWatch

  /// How far a stop has come.
  enum Stopping { case no, waiting, now }

  /// Opens the pool's ears: doorbell, signals and clock.
  ///
  /// From here on SIGTERM and its like no longer end this process but the pool. The store is to be
  /// opened for a supervisor; `log` gets a line for what a person who watches the pool wants to know.
  public init(
    store: JobStore, options: SupervisorOptions, publisher: Publisher,
    log: @escaping (String) -> Void
  ) throws {
    self.store = store
    self.options = options
    self.publisher = publisher
    self.log = log
    processes = max(1, options.processes)
    owner = try OwnerIdentity.ofThisProcess()
    loop = try EventLoop()
    bell = try Doorbell(besideQueue: store.path).listen()
    signals = try SignalWatch([
      .terminate, .interrupt, .hangup, .terminalInput, .terminalOutput,
    ])
  }

  /// Runs the pool until it is told to stop, or with `drains` until nothing is left.
  public func run() throws -> Outcome {
    try loop.add(bell.descriptor) { [unowned self] _ in
      _ = try bell.drain()
      look()
    }
    try loop.add(signals.descriptor) { [unowned self] _ in
      while let arrival = try signals.next() { handle(arrival.signal) }
    }
    loop.schedule(every: .seconds(1)) { [unowned self] in everySecond() }
    attempt { try store.register(owner, host: Host.name, processes: processes, now: Date()) }
    takeOver()
    look()
    try loop.run()
    attempt { try store.deregister(owner) }
    attempt { _ = try store.checkpoint() }
    return outcome
  }

  /// Reacts to a signal: the first to stop lets jobs finish, the second ends them.
  private func handle(_ signal: Signal) {
    switch signal {
    case .terminate, .interrupt: stop()
    case .terminalInput: resize(to: processes + 1)
    case .terminalOutput: resize(to: processes - 1)
    default: log("\(signal): nothing to read again")
    }
  }

  private func stop() {
    switch stopping {
    case .no:
      stopping = .waiting
      log("stopping: \(running.count) running jobs may finish; once more ends them now")
      loop.schedule(after: options.grace) { [unowned self] in releaseAll() }
    case .waiting, .now:
      releaseAll()
    }
    stopIfDone()
  }

  private func releaseAll() {
    stopping = .now
    for job in running.values { job.end(.released, killAfter: options.killDelay) }
    stopIfDone()
  }

  /// Changes the number of job processes; what runs beyond it may finish.
  func resize(to wanted: Int) {
    let count = max(0, wanted)
    guard count != processes else { return }
    log("\(count) job processes instead of \(processes)")
    processes = count
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

  private func everySecond() {
    attempt {
      // Catches who died between its commit and the ring, and writers that know no bell.
      let version = try store.dataVersion()
      defer { seenVersion = version }
      guard version != seenVersion else { return }
      if let wanted = try store.desiredProcesses(of: owner), wanted != processes {
        resize(to: wanted)
      }
      takeOver()
      look()
    }
    retakeExpired()
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

  /// Notes that the queue could not take something, which is tried again soon.
  func put(off error: any Error) {
    if case QueueError.Code.busy = error { return retrySoon(after: .milliseconds(20)) }
    log("the queue: \(error)")
    retrySoon(after: .seconds(1))
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
