import FoundationEssentials
import JobQueue
import Platform

/// An attempt under way: the download of its input, its process, the pipes from it, and what it has said
/// so far.
final class RunningJob {
  /// Why the supervisor ends a process before it is done.
  enum Reason {
    /// The job was cancelled.
    case cancelled
    /// Its progress stood still for so long.
    case stalled(Duration)
    /// It took longer than it may.
    case timedOut(Duration)
    /// The pool stops; the job is given back.
    case released
    /// Another supervisor has the job now; nothing may be published.
    case lostLease
  }

  let job: Job
  let lease: Lease
  let staging: String
  /// How much memory of its own the process may have, in bytes.
  let maxMemory: Int64?
  /// The download of its input, where that is a URL.
  private(set) var download: InputDownload?
  /// What the download came to; keeps it in the cache.
  private(set) var input: DownloadedInput?
  /// The process, once there is one.
  private(set) var child: ChildProcess?
  let reports: FileDescriptor
  let log: FileDescriptor
  let startedAt = BootClock.now
  private(set) var logTail = LogTail()
  /// What its output depends on, once it has said so.
  private(set) var identity: JobIdentity?
  private(set) var result: JobResult?
  private(set) var failure: JobFailure?
  private(set) var reason: Reason?
  /// How long it has run, and how long without progress, by ``pass(_:)``.
  private(set) var age = Duration.zero
  private(set) var standstill = Duration.zero
  /// The most memory that the process says it had, in bytes.
  private(set) var peakMemory: Int64?
  private let answers: Pipe
  private var isAnswered = false
  private var endsBy: Duration?
  private var childEnds: ChildEnds?
  private var lines = LineBuffer()
  private var progress: JobProgress?
  private var isProgressStored = true

  /// Makes the pipes for a claimed job's process.
  init(_ job: Job, _ lease: Lease, staging: String, maxMemory: Int64?) throws {
    self.job = job
    self.lease = lease
    self.staging = staging
    self.maxMemory = maxMemory
    let reportPipe = try Pipe()
    let logPipe = try Pipe()
    answers = try Pipe()
    childEnds = ChildEnds(reports: reportPipe.writer, log: logPipe.writer)
    reports = reportPipe.reader
    log = logPipe.reader
    try reports.setNonBlocking()
    try log.setNonBlocking()
    try answers.writer.setNonBlocking()
  }

  /// The process's ends of the pipes, and what it is asked for.
  private final class ChildEnds {
    let reports: FileDescriptor
    let log: FileDescriptor
    var request: FileDescriptor?

    init(reports: consuming FileDescriptor, log: consuming FileDescriptor) {
      self.reports = reports
      self.log = log
    }
  }

  /// Notes the download that has to end before there can be a process.
  func begin(_ download: InputDownload) { self.download = download }

  /// Takes what the download came to.
  func take(_ input: DownloadedInput) {
    self.input = input
    standstill = .zero
  }

  /// Notes what the process is to be asked.
  func prepare(_ request: JobRequest) throws {
    childEnds?.request = try .holding(Array(JSONEncoder().encode(request)))
  }

  /// What the process gets as its descriptors 0, 1, 2 and ``JobAnswer/descriptor``; empty while it cannot
  /// be started, and once it has them.
  var descriptors: [Int32] {
    guard let ends = childEnds, let request = ends.request?.rawValue else { return [] }
    return [request, ends.reports.rawValue, ends.log.rawValue, answers.reader.rawValue]
  }

  /// Notes the process that has come; it is ended if that was asked for meanwhile.
  func begin(_ child: ChildProcess) {
    self.child = child
    childEnds = nil
    switch reason {
    case nil: break
    case .lostLease: child.sendToGroup(.kill)
    default: child.sendToGroup(.terminate)
    }
  }

  /// The most that is read at once, so that a process that never stops talking does not keep the
  /// supervisor from everything else.
  private static let piece = 64 << 10

  /// Reads some of what the process has said.
  func readReports() throws {
    guard case .bytes(let bytes) = try reports.read(upTo: Self.piece) else { return }
    for line in lines.append(bytes) { take(line) }
  }

  /// Whether the process waits to be told what was made earlier of the bytes it was given.
  var awaitsAnswer: Bool { identity != nil && !isAnswered }

  /// Tells the process what may be taken instead of being made.
  ///
  /// The pipe holds as much, and our own end to read keeps it from breaking.
  func answer(_ answer: JobAnswer) throws {
    isAnswered = true
    _ = try answers.writer.write(
      Array(JSONEncoder().encode(answer)) + [UInt8(ascii: "\n")])
  }

  /// Reads some of what the process has logged.
  func readLog() throws {
    guard case .bytes(let bytes) = try log.read(upTo: Self.piece) else { return }
    logTail.append(bytes)
  }

  /// Reads what is left in the pipes of a process that has ended.
  func readRest() throws {
    // More than pipes hold; whoever may still write to them is not waited for.
    for _ in 0..<16 {
      try readReports()
      try readLog()
    }
  }

  /// Asks the process and all it started to end; it is killed `delay` later.
  func end(_ reason: Reason, killAfter delay: Duration) {
    guard self.reason == nil else { return }
    self.reason = reason
    endsBy = BootClock.now + delay
    child?.sendToGroup(.terminate)
    if input == nil { download?.cancel() }
  }

  /// Kills the process and all it started at once: its successor may be writing already.
  func giveUp() {
    reason = .lostLease
    child?.sendToGroup(.kill)
    if input == nil { download?.cancel() }
  }

  /// Kills the process if it was asked to end long enough ago.
  func killIfOverdue() {
    if let endsBy, BootClock.now >= endsBy { child?.sendToGroup(.kill) }
  }

  /// Counts time that has passed for the process.
  ///
  /// Time in which the supervisor itself stood still, and perhaps the whole machine, is not held
  /// against it.
  func pass(_ time: Duration) {
    age += time
    standstill += time
  }

  /// The progress, if it is not in the queue yet.
  var news: Progress? {
    guard !isProgressStored, let progress else { return nil }
    return Progress(
      fraction: progress.fraction ?? 0, stage: progress.stage, frames: progress.frames,
      fps: progress.fps, remaining: progress.eta.map { .seconds($0) })
  }

  /// Takes what is told about the download.
  ///
  /// Whoever downloads ends by itself what stands still, so all news are signs of life.
  func take(_ news: DownloadNews) {
    switch news {
    case .pausing(let time): standstill = .zero - time
    case .progress(let received, let total):
      standstill = .zero
      let fraction = total.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
      progress = JobProgress(stage: "download", fraction: fraction, frames: 0, fps: 0, eta: nil)
      isProgressStored = false
    }
  }

  /// Notes that the news are in the queue.
  func newsAreStored() { isProgressStored = true }

  private func take(_ line: [UInt8]) {
    guard let report = try? JSONDecoder().decode(JobReport.self, from: Data(line)) else {
      // Not ours: some library wrote to standard output. It belongs to the log.
      return logTail.append(line + [UInt8(ascii: "\n")])
    }
    switch report {
    case .identified(let identity):
      // Once: who says more than that is broken, and gets no second answer.
      if self.identity == nil { self.identity = identity }
      standstill = .zero
    case .progress(let now):
      if progress.map({ now.isBeyond($0) }) ?? true { standstill = .zero }
      progress = now
      isProgressStored = false
    case .made(let result): self.result = result
    case .failed(let failure): self.failure = failure
    case .used(let use): peakMemory = use.peakMemory
    }
  }
}

extension JobProgress {
  /// Whether the job has moved since an earlier report; speed and time left change by themselves.
  fileprivate func isBeyond(_ earlier: JobProgress) -> Bool {
    (stage, fraction, frames) != (earlier.stage, earlier.fraction, earlier.frames)
  }
}
