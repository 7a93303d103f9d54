import Commands
import FoundationEssentials
import JobQueue
import Platform
import Recipes
import Worker

/// Follows jobs to their end: a progress bar on a terminal, a line for each that ends.
struct JobFollower {
  private let store: JobStore

  /// Follows jobs of a queue.
  init(_ store: JobStore) { self.store = store }

  /// Returns once all jobs have ended.
  ///
  /// Their numbers are printed at once, so that whoever stops waiting knows them.
  /// - Throws: exit code 1 where one of them did not complete.
  func follow(_ ids: [Job.ID], json: Bool) throws {
    let bar = TerminalProgress()
    if !json { ids.forEach { Output.result("\($0)") } }
    if try store.workers().allSatisfy({ !$0.identity.isAlive }) {
      Output.message("keymill: no pool runs on \(store.path); waiting for a keymill work")
    }
    var ended: [Job.ID: Job] = [:]
    let loop = try EventLoop()
    var version: Int64?
    func look() throws {
      let now = try store.dataVersion()
      guard now != version else { return }
      version = now
      for id in ids where ended[id] == nil {
        guard let job = try store.job(id) else {
          throw InputError(description: "job \(id): was removed", exitCode: .noInput)
        }
        if job.state.isFinal {
          ended[id] = job
          bar.clear()
          if !json { Output.message(Self.line(job)) }
        } else if job.state == .running {
          bar.show(ProgressLine(job))
        }
      }
      if ended.count == Set(ids).count { loop.stop() }
    }
    let signals = try SignalWatch([.interrupt, .terminate])
    try loop.add(signals.descriptor) { _ in loop.stop() }
    loop.schedule(every: .milliseconds(100)) { try look() }
    try look()
    if ended.count < Set(ids).count { try loop.run() }
    bar.clear()
    guard ended.count == Set(ids).count else {
      Output.message("keymill: interrupted; the jobs stay in the queue (keymill cancel ends them)")
      throw ExitCode.tryAgain
    }
    let jobs = ids.compactMap { ended[$0] }
    if json { try Output.json(JobList(jobs: jobs.map(JobJSON.init))) }
    guard jobs.allSatisfy({ $0.state == .completed }) else { throw ExitCode.failure }
  }

  private static func line(_ job: Job) -> String {
    let name = job.inputName.fileName
    guard job.state == .completed else {
      return "job \(job.id) \(name): \(job.state.name)" + (job.error.map { ": \($0)" } ?? "")
    }
    return "job \(job.id) \(name): completed\(job.isPartial ? " in part" : "") → \(job.output)"
  }
}

extension ProgressLine {
  /// A line of a job in the queue.
  init(_ job: Job) {
    self.init(
      title: job.inputName.fileName, stage: job.progress.stage ?? job.state.name,
      fraction: job.progress.fraction, frames: job.progress.frames,
      framesPerSecond: job.progress.fps, remaining: job.progress.remaining)
  }
}
