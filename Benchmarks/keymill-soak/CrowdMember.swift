import Commands
import Foundation
import JobQueue
import Platform

/// What a member of the crowd does all the time.
enum CrowdRole: String, CaseIterable, ExpressibleByArgument {
  /// Submits a job, twenty times a second.
  case submit
  /// Runs `keymill list` and `keymill stats`.
  case list
  /// Calls jobs off that wait or run.
  case cancel
}

/// `keymill-soak member`: one process of the crowd.
///
/// Writes a line for each call that came through, and ends badly at the first that did not.
struct CrowdMember: Command {
  static let name = "member"
  static let summary = "One process of the crowd"
  static let isHidden = true

  @Argument(help: "What to do.")
  var role: CrowdRole
  @Option(help: "Which member this is.", valueName: "n")
  var number: Int
  @Option(help: "For how long.", valueName: "n")
  var milliseconds: Int
  @Option(help: "The program.", valueName: "file")
  var keymill: String
  @Option(help: "The checkout.", valueName: "dir")
  var checkout: String
  @Option(help: "The drill's directory.", valueName: "dir")
  var directory: String
  @Option(help: "What to make jobs of.", valueName: "file")
  var input: String

  func run() throws {
    let room = Room(keymill: keymill, checkout: checkout, directory: directory)
    let end = BootClock.now + .milliseconds(milliseconds)
    switch role {
    case .submit: try submit(room, until: end)
    case .list: try list(room, until: end)
    case .cancel: try cancel(room, until: end)
    }
  }

  private func submit(_ room: Room, until end: Duration) throws {
    let store = try JobStore(path: room.queue, role: .client)
    let recipe = try Work.recipe("stills", in: room)
    var count = 0
    while BootClock.now < end {
      count += 1
      var job = NewJob(
        input: input, output: room.path("out/\(number)-\(count)"), recipe: recipe)
      job.isForced = true
      print("submitted \(try store.submit([job], now: Date())[0].job.id)")
      try Doorbell(besideQueue: room.queue).ring()
      pause(.milliseconds(50))
    }
  }

  private func list(_ room: Room, until end: Duration) throws {
    while BootClock.now < end {
      for call in [["list", "--json"], ["stats", "--json"]] {
        let (status, output) = try room.run(call, log: "list-\(number).log")
        guard status.isSuccess else { throw SoakError("\(call) ended with \(status)") }
        _ = try JSONSerialization.jsonObject(with: Data(output))
        print("listed")
      }
    }
  }

  private func cancel(_ room: Room, until end: Duration) throws {
    let store = try JobStore(path: room.queue, role: .client)
    var dice = Dice(seed: number)
    var filter = JobFilter()
    filter.states = [.available, .running]
    while BootClock.now < end {
      if let job = try store.list(filter).randomElement(using: &dice) {
        print("\(try store.cancel(job.id, now: Date()).word) \(job.id)")
      }
      pause(.milliseconds(50))
    }
  }
}
