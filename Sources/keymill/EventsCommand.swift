import Commands
import FoundationEssentials
import Glibc
import JobQueue
import Platform

/// `keymill events`: what happened in the queue, as a feed.
struct EventsCommand: Command {
  static let name = "events"
  static let summary = "Show what happened in the queue"
  static let discussion = """
    Each event has a number, greater than all before; --after takes up where a reader left off. With \
    --follow it goes on until its reader goes away, or Ctrl-C.
    """
  static let examples = [
    Example("keymill events --follow --json", "a line of JSON for each change, as it happens")
  ]

  @Option(help: "Begin after this event.", valueName: "id")
  var after = 0
  @Flag(name: .shortAndLong, help: "Go on as things happen.")
  var follow: Bool
  @Flag(help: "Print a line of JSON each.")
  var json: Bool
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let store = try queueOptions.open(.reader)
    var cursor = Int64(after)
    func printNew() throws {
      while case let events = try store.events(after: cursor), let last = events.last {
        for event in events { try print(event) }
        cursor = last.id
      }
    }
    try printNew()
    guard follow else { return }
    let loop = try EventLoop()
    // Who reads a pipe may stop; a file cannot be waited for, and need not be.
    try? loop.add(STDOUT_FILENO, []) { _ in loop.stop() }
    let signals = try SignalWatch([.interrupt, .terminate])
    try loop.add(signals.descriptor) { _ in loop.stop() }
    var version = try store.dataVersion()
    loop.schedule(every: .milliseconds(200)) {
      let now = try store.dataVersion()
      if now != version { try printNew() }
      try store.checkFile()
      version = now
    }
    try loop.run()
  }

  private func print(_ event: JobEvent) throws {
    if json { return try Output.jsonLine(EventJSON(event)) }
    let detail = event.detail.map { ": \($0)" } ?? ""
    Output.result(
      "\(event.id)  \(event.at.formatted(.iso8601))  job \(event.jobID)  "
        + "\(event.kind.name) → \(event.state.name)\(detail)")
  }
}
