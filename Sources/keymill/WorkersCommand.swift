import Commands
import FoundationEssentials
import JobQueue
import Platform
import Recipes
import Worker

/// `keymill workers`: the pools on a queue and what they run.
struct WorkersCommand: Command {
  static let name = "workers"
  static let summary = "Show the pools and what they run"
  static let examples = [Example("keymill workers", "hosts, processes, jobs and their speed")]

  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let store = try queueOptions.open(.reader)
    let workers = try store.workers()
    if json {
      return try Output.json(WorkerList(workers: workers.map { try WorkerJSON($0, in: store) }))
    }
    guard !workers.isEmpty else { return Output.message("no pools") }
    for worker in workers {
      let isGone = worker.identity.isAlive ? "" : " (dead; the next pool takes its jobs)"
      Output.result(
        "\(worker.host) pid \(worker.identity.pid): \(worker.running.count) of "
          + "\(worker.processes) processes busy, since \(worker.startedAt.formatted(.iso8601))\(isGone)"
      )
      for job in try worker.running.compactMap({ try store.job($0) }) { try tell(job, store) }
    }
  }

  private func tell(_ job: Job, _ store: JobStore) throws {
    var line = "  job \(job.id) \(job.inputName.fileName): "
    line += "\(job.progress.stage ?? "starting") \(Int(job.progress.fraction * 100))%"
    if let fps = job.progress.fps, fps > 0 { line += ", \(String(tenths: fps)) fps" }
    if let remaining = job.progress.remaining {
      line += ", \(String(tenths: remaining / .seconds(1))) s left"
    }
    line += ", attempt \(job.attempt), for \(try store.runTime(of: job))"
    if let startedAt = job.startedAt { line += " since \(startedAt.formatted(.iso8601))" }
    Output.result(Output.printable(line))
  }
}

/// What `workers --json` prints.
private struct WorkerList: Encodable {
  let workers: [WorkerJSON]
}

/// A pool as keymill shows it to programs.
private struct WorkerJSON: Encodable {
  let host: String
  let pid: Int32
  let processes: Int
  let startedAt: String
  let running: [JobJSON]

  init(_ worker: WorkerRecord, in store: JobStore) throws {
    host = worker.host
    pid = worker.identity.pid
    processes = worker.processes
    startedAt = worker.startedAt.formatted(.iso8601)
    running = try worker.running.compactMap { try store.job($0) }.map(JobJSON.init)
  }
}
