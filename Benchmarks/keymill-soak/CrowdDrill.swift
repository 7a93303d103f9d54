import Foundation
import JobQueue
import Platform

/// Eight processes that submit, three that list and two that cancel, all at once beside a pool.
struct CrowdDrill {
  private let room: Room
  private let time: Duration

  /// A crowd that goes on for `time`.
  init(_ room: Room, time: Duration) {
    self.room = room
    self.time = time
  }

  /// Runs it and counts.
  func run() throws -> [Check] {
    let media = try SmallMedia(in: room)
    let store = try JobStore(path: room.queue, role: .client)
    let pool = try Pools(1, room: room, lease: .seconds(30))
    defer { pool.abandon() }
    let roles: [CrowdRole] =
      Array(repeating: .submit, count: 8) + Array(repeating: .list, count: 3)
      + Array(repeating: .cancel, count: 2)
    let members = try roles.enumerated().map { number, role in
      (role: role, number: number, process: try start(role, number, media.path("photo.jpg")))
    }
    var errors: [String] = []
    var told = CrowdRecord()
    for member in members {
      let status = try member.process.wait().status
      if !status.isSuccess { errors.append("\(member.role) \(member.number) ended with \(status)") }
      told.add(String(decoding: try Files.read(output(of: member.number)), as: UTF8.self))
    }
    try cancelRest(store, &told)
    try wait(for: "the running jobs to end") { try store.stats().count(.running) == 0 }
    try pool.end()
    return [
      Check(
        promise: "no call fails",
        seen: "\(told.submitted.count) submits, \(told.lists) lists, \(told.cancels) cancels",
        violations: errors + told.errors + pool.troubles),
      Check(
        promise: "no update is lost", seen: "\(told.submitted.count) jobs",
        violations: told.contradictions(with: try store.everyJob())),
    ]
  }

  private func output(of number: Int) -> String { room.path("member-\(number).out") }

  private func start(_ role: CrowdRole, _ number: Int, _ input: String) throws -> ChildProcess {
    let output = try FileDescriptor.open(output(of: number), .create)
    let milliseconds = Int(time / .milliseconds(1))
    return try ChildProcess(
      ChildProcess.Launch(
        Executable.itself,
        [
          CrowdMember.name, role.rawValue, "--number", "\(number)", "--milliseconds",
          "\(milliseconds)", "--keymill", room.keymill, "--checkout", room.checkout, "--directory",
          room.directory, "--input", input,
        ], descriptors: [1: output.rawValue, 2: output.rawValue]))
  }

  /// What the pool has not come to by now is called off, as the crowd does it.
  private func cancelRest(_ store: JobStore, _ told: inout CrowdRecord) throws {
    var filter = JobFilter()
    filter.states = [.available]
    filter.limit = .max
    for job in try store.list(filter) {
      told.add("\(try store.cancel(job.id, now: Date()).word) \(job.id)")
    }
  }
}

/// What the members of a crowd were told by the queue.
struct CrowdRecord {
  private(set) var submitted: [Job.ID] = []
  private(set) var cancelled: Set<Job.ID> = []
  private(set) var requested: Set<Job.ID> = []
  private(set) var lists = 0
  private(set) var cancels = 0
  private(set) var errors: [String] = []

  /// Adds what a member wrote, a line for each call.
  mutating func add(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let id = words.count == 2 ? Job.ID(words[1]) : nil
      switch (words[0], id) {
      case ("submitted", let id?): submitted.append(id)
      case ("cancelled", let id?):
        cancels += 1
        cancelled.insert(id)
      case ("requested", let id?):
        cancels += 1
        requested.insert(id)
      case ("late", _?): cancels += 1
      case ("listed", _): lists += 1
      default: errors.append(String(line))
      }
    }
  }

  /// Where the queue holds something else than what it told.
  func contradictions(with jobs: [Job]) -> [String] {
    var violations: [String] = []
    let states = Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0.state) })
    if Set(submitted).count != submitted.count { violations.append("a number was given twice") }
    if Set(submitted) != Set(states.keys) {
      violations.append("\(submitted.count) jobs were accepted, \(states.count) are there")
    }
    for (id, state) in states.sorted(by: { $0.key < $1.key }) {
      let isRight =
        if cancelled.contains(id) { state == .cancelled } else if requested.contains(id) {
          // Its output may have been published before it was asked to end.
          state == .cancelled || state == .completed
        } else { state == .completed }
      if !isRight { violations.append("job \(id) is \(state.name)") }
    }
    return violations
  }
}

extension Cancellation {
  /// What a crowd's record calls it.
  var word: String {
    switch self {
    case .cancelled: "cancelled"
    case .requested: "requested"
    case .tooLate: "late"
    }
  }
}
