import Platform

/// Starts job processes: forks of a zygote, or where that does not work programs started anew.
///
/// Keeps a zygote running as long as the pool does. Nothing here blocks; a process that was asked for
/// comes when the zygote has answered.
final class JobLauncher {
  /// Called once, with the process, or with why there is none.
  typealias Completion = (Result<ChildProcess, any Error>) -> Void

  private let loop: EventLoop
  private let options: SupervisorOptions
  private let log: (String) -> Void
  private let environment = JobEnvironment.current
  /// Who gets the next request; nil where jobs are started anew.
  private var zygote: ZygoteProcess?
  /// How many zygotes in a row ended before they were ready, or owing an answer.
  private var failures = 0

  /// So many tries are made before jobs are started without a zygote.
  private static let maxFailures = 3

  init(loop: EventLoop, options: SupervisorOptions, log: @escaping (String) -> Void) {
    self.loop = loop
    self.options = options
    self.log = log
  }

  /// Starts the zygote, so that it is warm by the time there is a job.
  func start() {
    guard let command = options.zygoteCommand else { return }
    do {
      let zygote = try ZygoteProcess(command, environment: environment)
      self.zygote = zygote
      try listen(to: zygote)
    } catch {
      giveUpOnZygotes("\(error)")
    }
  }

  /// Starts a process that gets `descriptors` as its 0, 1 and 2; they stay open until it has come.
  func launch(_ descriptors: [Int32], then completion: @escaping Completion) {
    let launch = JobLaunch(descriptors: descriptors, completion: completion)
    guard let zygote else { return startAnew(launch) }
    do throws(PlatformError) {
      try zygote.request(launch)
      watchAnswers(of: zygote)
    } catch {
      // It has hundreds to do already.
      startAnew(launch)
    }
  }

  /// Starts another zygote in place of the one there is, which has what libraries are on the disk now.
  ///
  /// What the old one has not answered is asked of the new one.
  func renew() {
    failures = 0
    let old = zygote
    start()
    old?.process.send(.kill)
  }

  /// Ends the zygote; what it has not answered yet will not run.
  func stop() {
    guard let zygote else { return }
    self.zygote = nil
    retire(zygote)
    for launch in zygote.takeUnanswered() { launch.completion(.failure(LaunchError.stopped)) }
    zygote.process.send(.kill)
    _ = try? zygote.process.wait()
  }

  private func startAnew(_ launch: JobLaunch) {
    let command = options.jobCommand
    var start = ChildProcess.Launch(command[0], Array(command.dropFirst()))
    start.arguments[0] = "keymill"
    start.environment = environment
    start.descriptors = Dictionary(
      uniqueKeysWithValues: zip(Int32(0)..., launch.descriptors))
    launch.completion(Result { try ChildProcess(start) })
  }
}

// MARK: - The zygote's life

extension JobLauncher {
  private func listen(to zygote: ZygoteProcess) throws {
    try loop.add(zygote.socket.rawValue) { [unowned self] _ in try hear(zygote) }
    try loop.add(zygote.process.descriptor) { [unowned self] _ in
      guard let exit = try zygote.process.reap() else { return }
      loop.remove(zygote.process.descriptor)
      if !zygote.isClosed { try hear(zygote) }
      replace(zygote, because: "ended with \(exit.status)")
      passOn(zygote)
    }
  }

  /// Reads what the zygote and its forks have said.
  private func hear(_ zygote: ZygoteProcess) throws {
    do throws(PlatformError) {
      while let answer = try zygote.nextAnswer() { take(answer, from: zygote) }
    } catch {
      guard error.code != .wouldBlock else { return }
      throw error
    }
    loop.remove(zygote.socket.rawValue)
    zygote.isClosed = true
    zygote.process.send(.kill)
    passOn(zygote)
  }

  /// Asks again for what a zygote has not answered, once it is certain that nobody will.
  private func passOn(_ zygote: ZygoteProcess) {
    guard zygote.isClosed, zygote.process.exit != nil else { return }
    for old in zygote.takeUnanswered() { launch(old.descriptors, then: old.completion) }
  }

  private func take(_ answer: ZygoteMessage, from zygote: ZygoteProcess) {
    switch answer {
    case .ready:
      zygote.isReady = true
    case .forked(let ticket, let pid):
      failures = 0
      guard let launch = zygote.take(ticket) else { return }
      launch.completion(Result { try ChildProcess(adopting: pid) })
    case .failed(let ticket, _):
      guard let launch = zygote.take(ticket) else { return }
      startAnew(launch)
    case .fork: break
    }
  }

  /// Starts another zygote in place of one that is no use any more.
  private func replace(_ zygote: ZygoteProcess, because reason: String) {
    guard zygote === self.zygote else { return }
    self.zygote = nil
    zygote.process.send(.kill)
    if !zygote.isReady || zygote.oldestRequestAge != nil { failures += 1 }
    guard failures < Self.maxFailures else { return giveUpOnZygotes(reason) }
    if zygote.isReady { log("the zygote \(reason); starting another") }
    start()
  }

  private func giveUpOnZygotes(_ reason: String) {
    zygote = nil
    log("the zygote \(reason); jobs are started without one, which takes longer")
  }

  /// Replaces a zygote that leaves requests unanswered for long: it was stopped, or hangs.
  private func watchAnswers(of zygote: ZygoteProcess) {
    guard !zygote.isWatched else { return }
    zygote.isWatched = true
    loop.schedule(after: options.zygotePatience) { [unowned self] in
      zygote.isWatched = false
      guard let age = zygote.oldestRequestAge else { return }
      guard age >= options.zygotePatience else { return watchAnswers(of: zygote) }
      // Perhaps it was we who stood still, and the answers are there.
      try hear(zygote)
      guard zygote.oldestRequestAge != nil else { return }
      replace(zygote, because: "does not answer")
      zygote.socket.refuseMore()
    }
  }

  private func retire(_ zygote: ZygoteProcess) {
    loop.remove(zygote.socket.rawValue)
    loop.remove(zygote.process.descriptor)
    zygote.socket.refuseMore()
  }
}

/// Why a job process was not started.
enum LaunchError: Error, CustomStringConvertible {
  /// The pool has ended.
  case stopped

  var description: String { "the pool ends" }
}
