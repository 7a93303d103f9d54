import Commands
import FoundationEssentials
import JobQueue
import Platform

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
      Output.result(
        "\(worker.host) pid \(worker.identity.pid): \(worker.running.count) of "
          + "\(worker.processes) processes busy, since \(worker.startedAt.formatted(.iso8601))")
      for job in try worker.running.compactMap({ try store.job($0) }) { tell(job) }
    }
  }

  private func tell(_ job: Job) {
    var line = "  job \(job.id) \(Files.name(of: job.input)): "
    line += "\(job.progress.stage ?? "starting") \(Int(job.progress.fraction * 100))%"
    if let fps = job.progress.fps, fps > 0 { line += ", \(String(tenths: fps)) fps" }
    Output.result(line + ", \(job.runTime)")
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
