import Commands
import FoundationEssentials
import JobQueue
import Platform
import Worker

/// `keymill show`: all that is known of a job.
struct ShowCommand: Command {
  static let name = "show"
  static let summary = "Tell the whole story of a job"
  static let examples = [Example("keymill show 17", "its attempts and what went wrong")]

  @Argument(help: "The job's number.")
  var id: Int
  @Flag(help: "Print JSON, with attempts, events and the manifest.")
  var json: Bool
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let store = try queueOptions.open(.reader)
    guard let job = try store.job(Int64(id)) else {
      throw InputError(description: "there is no job \(id)", exitCode: .noInput)
    }
    let attempts = try store.attempts(of: job.id)
    let events = try store.events(of: job.id)
    guard !json else {
      let manifest = try? Files.read("\(job.output)/manifest.json")
      return try Output.json(
        JobStory(
          job: job, attempts: attempts.map(AttemptJSON.init), events: events.map(EventJSON.init),
          manifest: job.state == .completed
            ? manifest.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) } : nil))
    }
    tell(job, attempts, events)
    try tellWarnings(of: job, in: store)
  }

  private func tell(_ job: Job, _ attempts: [Attempt], _ events: [JobEvent]) {
    Output.result("job \(job.id): \(job.state.name)\(job.isPartial ? " in part" : "")")
    var facts = [
      ("input", job.input), ("output", job.output), ("recipe", job.recipe.name),
      ("queue", "\(job.queue), priority \(job.priority)"),
    ]
    if let batch = job.batch { facts.append(("batch", batch)) }
    if let error = job.error { facts.append(("error", error)) }
    for (name, value) in facts {
      Output.result("  \(name)\(String(repeating: " ", count: 8 - name.count))\(value)")
    }
    for event in events {
      let detail = event.detail.map { ": \($0)" } ?? ""
      let attempt = event.attempt > 0 ? " (attempt \(event.attempt))" : ""
      Output.result("  \(event.at.formatted(.iso8601))  \(event.kind.name)\(attempt)\(detail)")
    }
    for attempt in attempts { tell(attempt) }
  }

  /// What the manifest warns of, as the job process reported it.
  private func tellWarnings(of job: Job, in store: JobStore) throws {
    guard let text = try store.result(of: job.id),
      let result = try? JSONDecoder().decode(JobResult.self, from: Data(text.utf8))
    else { return }
    for warning in result.warnings { Output.result("  warning: \(warning)") }
  }

  private func tell(_ attempt: Attempt) {
    let report = attempt.report
    var parts = [attempt.outcome?.name ?? "running"]
    if let code = report.exitCode { parts.append("exit \(code)") }
    if let signal = report.signal { parts.append("\(Signal(rawValue: signal))") }
    if let rss = report.peakRSS { parts.append("peak \(ByteCount.text(Int(rss)))") }
    if let time = report.cpuTime { parts.append("\(String(tenths: time / .seconds(1))) s of CPU") }
    Output.result("  attempt \(attempt.number): " + parts.joined(separator: ", "))
    for line in (report.logTail ?? "").split(separator: "\n").suffix(10) {
      Output.result("    | \(line)")
    }
  }
}

/// What `show --json` prints: the job's own fields, and its history.
private struct JobStory: Encodable {
  let job: Job
  let attempts: [AttemptJSON]
  let events: [EventJSON]
  let manifest: JSONValue?

  private enum Key: String, CodingKey { case attempts, events, manifest }

  func encode(to encoder: any Encoder) throws {
    try JobJSON(job).encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(attempts, forKey: .attempts)
    try fields.encode(events, forKey: .events)
    try fields.encode(manifest, forKey: .manifest)
  }
}
