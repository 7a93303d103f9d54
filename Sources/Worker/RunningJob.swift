import FoundationEssentials
import JobQueue
import Platform

/// An attempt under way: its process, the pipes to it, and what it has said so far.
final class RunningJob {
  /// Why the supervisor ends a process before it is done.
  enum Reason {
    /// The job was cancelled.
    case cancelled
    /// Its progress stood still for so long.
    case stalled(Duration)
    /// It took longer than it may.
    case timedOut(Duration)
    /// The pool stops or shrinks; the job is given back.
    case released
    /// Another supervisor has the job now; nothing may be published.
    case lostLease
  }

  let job: Job
  let lease: Lease
  let staging: String
  let child: ChildProcess
  let reports: FileDescriptor
  let log: FileDescriptor
  let startedAt = BootClock.now
  private(set) var logTail = LogTail()
  private(set) var result: JobResult?
  private(set) var failure: JobFailure?
  private(set) var reason: Reason?
  private(set) var endsBy: Duration?
  private var lines = LineBuffer()
  private var progress: JobProgress?
  private var isProgressStored = true
  private var movedAt = BootClock.now

  /// Starts the job process of a claimed job: `executable` with the hidden subcommand `run-job`.
  init(_ job: Job, _ lease: Lease, request: JobRequest, executable: String) throws {
    self.job = job
    self.lease = lease
    staging = request.staging
    let requestPipe = try Pipe()
    let reportPipe = try Pipe()
    let logPipe = try Pipe()
    var launch = ChildProcess.Launch(executable, ["run-job"])
    launch.arguments[0] = "keymill"
    launch.descriptors = [
      0: requestPipe.reader.rawValue, 1: reportPipe.writer.rawValue, 2: logPipe.writer.rawValue,
    ]
    child = try ChildProcess(launch)
    reports = try reportPipe.reader.duplicate()
    log = try logPipe.reader.duplicate()
    try reports.setNonBlocking()
    try log.setNonBlocking()
    // A request is far smaller than a pipe holds, but for recipes of a thousand filters; the child
    // reads it before anything else, so waiting for it is short.
    try requestPipe.writer.writeAll(Array(JSONEncoder().encode(request)))
  }

  /// Reads what the process has said since the last time.
  func readReports() throws {
    while case .bytes(let bytes) = try reports.read() {
      for line in lines.append(bytes) { take(line) }
    }
  }

  /// Reads what the process has logged since the last time.
  func readLog() throws {
    while case .bytes(let bytes) = try log.read() { logTail.append(bytes) }
  }

  /// Asks the process and all it started to end; it is killed `delay` later.
  func end(_ reason: Reason, killAfter delay: Duration) {
    guard self.reason == nil else { return }
    self.reason = reason
    endsBy = BootClock.now + delay
    child.sendToGroup(.terminate)
  }

  /// Kills the process if it was asked to end long enough ago.
  func killIfOverdue() {
    if let endsBy, BootClock.now >= endsBy { child.sendToGroup(.kill) }
  }

  /// How long the progress has stood still.
  var standstill: Duration { BootClock.now - movedAt }

  /// The progress, if it is not in the queue yet; asking counts as storing.
  func takeProgress() -> Progress? {
    guard !isProgressStored, let progress else { return nil }
    isProgressStored = true
    return Progress(
      fraction: progress.fraction ?? 0, stage: progress.stage, frames: progress.frames,
      fps: progress.fps, remaining: progress.eta.map { .seconds($0) })
  }

  private func take(_ line: [UInt8]) {
    guard let report = try? JSONDecoder().decode(JobReport.self, from: Data(line)) else {
      // Not ours: some library wrote to standard output. It belongs to the log.
      return logTail.append(line + [UInt8(ascii: "\n")])
    }
    switch report {
    case .progress(let now):
      if now != progress { movedAt = BootClock.now }
      progress = now
      isProgressStored = false
    case .made(let result): self.result = result
    case .failed(let failure): self.failure = failure
    }
  }
}
