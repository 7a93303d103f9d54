import Digests
import FoundationEssentials
import JobQueue
import Platform

/// An attempt that is over, on its way into the queue.
///
/// It stays here until the queue has it, which may be some tries later.
final class EndedAttempt {
  /// What came of it.
  enum Outcome {
    /// Everything was made and waits in the staging directory.
    case made(JobResult)
    /// Nothing will be published.
    case over(Ending)
  }

  /// What has become of the tracks for the cache.
  enum Keeping {
    /// Nothing yet.
    case open
    /// They are being read; the attempt waits for that.
    case running
    /// They are there, or cannot be.
    case done
  }

  let job: Job
  let lease: Lease
  let staging: String
  let outcome: Outcome
  let report: AttemptReport
  let duration: Duration
  /// What its output depends on, if that is known.
  let memoKey: MemoKey?
  /// The download that it was made of; nil where it was none.
  let input: DownloadedInput?
  /// What to do with the output, once it and its place were looked at.
  var plan: PublicationPlan?
  /// How far its copied tracks are on their way into the cache.
  var keeping = Keeping.open
  private var installation: Files.Installation?

  /// An attempt whose process could not be started; where the machine had nothing left to start it
  /// with, the job waits until `retryAt`.
  init(
    _ job: Job, _ lease: Lease, staging: String, notStarted error: any Error, retryAt: Date
  ) {
    self.job = job
    self.lease = lease
    self.staging = staging
    let message = "cannot be started: \(error)"
    let isShortage = (error as? PlatformError)?.isShortage == true
    outcome = .over(isShortage ? .postponed(message, until: retryAt) : .failed(message, .transient))
    report = AttemptReport()
    duration = .zero
    (memoKey, input) = (nil, nil)
  }

  /// An attempt whose input could not be had, at `now`; where there was no room for it the job waits for
  /// `spaceWait`.
  init(_ running: RunningJob, notFetched error: any Error, spaceWait: Duration, now: Date) {
    job = running.job
    lease = running.lease
    staging = running.staging
    outcome = .over(
      running.reason?.ending ?? .notFetched(error, spaceWait: spaceWait, now: now))
    report = AttemptReport()
    duration = BootClock.now - running.startedAt
    (memoKey, input) = (nil, nil)
  }

  /// An attempt whose process has ended, at `now`; where there was no room the job waits for
  /// `spaceWait`.
  init(_ running: RunningJob, _ exit: Exit, spaceWait: Duration, now: Date) {
    job = running.job
    lease = running.lease
    staging = running.staging
    duration = BootClock.now - running.startedAt
    report = AttemptReport(running, exit)
    memoKey = MemoKey(running.identity, of: running.job)
    input = running.input
    outcome = Self.outcome(of: running, exit.status, retryAt: now + spaceWait / .seconds(1))
  }

  /// Carries the plan out, under the fence; puts the staged output in its place once, however often it
  /// is asked for.
  ///
  /// The commit that goes with it may fail and be tried again, and another exchange would bring the
  /// older output back.
  /// - Throws: `PlaceChanged` where the plan does not fit any more; `PlatformError`.
  func publish() throws -> Publication {
    if let installation { return .installed(installation) }
    guard let plan, plan.place.isStill(at: job.output) else { throw PlaceChanged() }
    switch plan {
    case .adopt: return .adopted
    case .yield(let successor, _): return .yielded(to: successor)
    case .install:
      let done = try Files.install(staging, at: job.output)
      installation = done
      return .installed(done)
    }
  }

  private static func outcome(
    of running: RunningJob, _ status: ExitStatus, retryAt: Date
  ) -> Outcome {
    if case .lostLease = running.reason { return .over(.lost("another supervisor has the job")) }
    // Who was done before the signal reached it has done its work.
    if let result = running.result, status.isSuccess { return .made(result) }
    return .over(
      running.reason?.ending ?? running.failure?.ending(status, retryAt: retryAt)
        ?? .crashed(status, running))
  }
}

extension MemoKey {
  /// What a job's output depends on; nil where the job process has not said it, or not in words.
  init?(_ identity: JobIdentity?, of job: Job) {
    guard let identity, let input = SHA256Digest(hex: identity.sha256) else { return nil }
    self.init(input: input, recipeDigest: job.recipe.digest, engine: identity.engine)
  }
}

extension RunningJob.Reason {
  /// What it means for the job to have been ended for this reason.
  fileprivate var ending: Ending {
    switch self {
    case .cancelled: .cancelled
    case .stalled(let time): .failed("stalled: no progress for \(time.words)", .transient)
    case .timedOut(let time): .failed("timed out after \(time.words)", .transient)
    case .released: .released("the pool stopped")
    case .lostLease: .lost("another supervisor has the job")
    }
  }
}

extension JobFailure {
  /// What the failure means for the job; nil where the process did not even exit by itself.
  fileprivate func ending(_ status: ExitStatus, retryAt: Date) -> Ending? {
    guard case .exited = status else { return nil }
    return switch kind {
    case .permanent: .failed(message, .permanent)
    case .transient: .failed(message, .transient)
    case .overMemory: .crashed(message)
    case .noSpace: .postponed(message, until: retryAt)
    }
  }
}

extension Ending {
  /// The end of a process that gave no account of itself.
  fileprivate static func crashed(_ status: ExitStatus, _ running: RunningJob) -> Ending {
    guard !status.isSuccess else { return .crashed("the job process ended without a result") }
    let message = "the job process ended with \(status)"
    guard case .signalled(let signal) = status, let limit = running.maxMemory,
      Signal.ofOwnDoing.contains(signal)
    else { return .crashed(message) }
    // Who is refused memory mostly does not live to say so.
    return .crashed(
      "\(message), perhaps because it wanted more memory than --max-memory allows it "
        + "(\(limit / 1_000_000) MB)")
  }

  /// Why the job did not complete, for the log.
  var words: String {
    switch self {
    case .failed(let message, _), .crashed(let message), .lost(let message),
      .released(let message), .postponed(let message, _):
      message
    case .cancelled: "cancelled"
    case .completed: "completed"
    }
  }
}

extension Signal {
  /// Those that a process gets for what it does itself.
  fileprivate static let ofOwnDoing: [Signal] = [
    .segmentationFault, .abort, .illegalInstruction, .trap, .busError,
  ]
}

extension AttemptReport {
  fileprivate init(_ running: RunningJob, _ exit: Exit) {
    var (code, signal): (Int32?, Int32?) = (nil, nil)
    switch exit.status {
    case .exited(let value): code = value
    case .signalled(let value): signal = value.rawValue
    }
    self.init(
      pid: running.child?.pid, exitCode: code, signal: signal, cpuTime: exit.usage.cpuTime,
      peakRSS: running.peakMemory ?? Int64(exit.usage.peakMemoryKiB) * 1024,
      logTail: running.logTail.text)
  }
}
