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
      let result = try JobResult(storedOf: job, in: store)
      return try Output.json(
        JobStory(
          job: job, attempts: attempts.map(AttemptJSON.init), events: events.map(EventJSON.init),
          score: result?.score,
          manifest: job.state == .completed
            ? manifest.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) } : nil))
    }
    for line in try JobAccount(job, attempts, events, in: store).lines {
      Output.result(Output.printable(line))
    }
  }
}

/// What `show --json` prints: the job's own fields, and its history.
private struct JobStory: Encodable {
  let job: Job
  let attempts: [AttemptJSON]
  let events: [EventJSON]
  let score: JobResult.Score?
  let manifest: JSONValue?

  private enum Key: String, CodingKey { case attempts, events, score, manifest }

  func encode(to encoder: any Encoder) throws {
    try JobJSON(job).encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(attempts, forKey: .attempts)
    try fields.encode(events, forKey: .events)
    try fields.encode(score, forKey: .score)
    try fields.encode(manifest, forKey: .manifest)
  }
}
