import JobQueue
import Platform

/// What is left after a storm, held against what was asked for.
struct StormVerdict {
  private let plan: StormPlan
  private let room: Room
  private let jobs: [Job]
  private let events: [JobEvent]

  /// Reads the queue.
  init(_ plan: StormPlan, store: JobStore, room: Room) throws {
    self.plan = plan
    self.room = room
    jobs = try store.everyJob()
    events = try store.everyEvent()
  }

  /// All that was promised.
  func checks() throws -> [Check] {
    [
      endedOnce, poisonQuarantined, healthyNotQuarantined, try wholeOutputs, failuresLeftNothing,
      try nothingStaged, try soundQueue,
    ]
  }

  private var endedOnce: Check {
    let endings = Dictionary(grouping: events.filter(\.state.isFinal), by: \.jobID)
    let violations = plan.works.keys.sorted().compactMap { id -> String? in
      let states = endings[id, default: []].map(\.state.name)
      return states.count == 1 ? nil : "job \(id) ended \(states.count) times: \(states)"
    }
    let attempts = events.count { $0.kind == .claimed }
    return Check(
      promise: "every job ends once", seen: "\(plan.works.count) jobs in \(attempts) attempts",
      violations: violations)
  }

  private var poisonQuarantined: Check {
    let violations = jobs.filter { plan.poison.contains($0.id) }.compactMap { job -> String? in
      if job.state != .quarantined { return "job \(job.id) is \(job.state.name)" }
      return (try? FileStatus(job.output)) == nil ? nil : "job \(job.id) left \(job.output)"
    }
    return Check(
      promise: "a job whose process dies each time is quarantined",
      seen: "\(plan.poison.count) jobs", violations: violations)
  }

  private var healthyNotQuarantined: Check {
    let healthy = jobs.filter { !plan.poison.contains($0.id) }
    let struck = healthy.count { $0.attempt > 1 }
    let violations = healthy.filter { $0.state == .quarantined }.map {
      "job \($0.id): \($0.crashes) crashes, \($0.failures) failures: \($0.error ?? "")"
    }
    return Check(
      promise: "no healthy job is quarantined",
      seen: "\(healthy.count) jobs, \(struck) of them with more than one attempt",
      violations: violations)
  }

  private var wholeOutputs: Check {
    get throws {
      var count = 0
      var violations: [String] = []
      for job in jobs where !plan.poison.contains(job.id) {
        guard case .output(let expected)? = plan.works[job.id]?.expectation else { continue }
        count += 1
        if job.state != .completed {
          violations.append("job \(job.id) is \(job.state.name): \(job.error ?? "")")
        } else if let fault = Self.fault(of: job.output, expected) {
          violations.append("job \(job.id): \(fault)")
        }
      }
      return Check(
        promise: "every output is the one made without kills", seen: "\(count) outputs",
        violations: violations)
    }
  }

  /// What is wrong with an output; nil where it is whole and the expected one.
  static func fault(of output: String, _ expected: OutputDigest) -> String? {
    do {
      return try OutputDigest(of: output) == expected ? nil : "\(output): another than expected"
    } catch {
      return "\(error)"
    }
  }

  private var failuresLeftNothing: Check {
    let hostile = jobs.filter {
      plan.works[$0.id]?.expectation == .failure && !plan.poison.contains($0.id)
    }
    let violations = hostile.compactMap { job -> String? in
      if job.state != .failed { return "job \(job.id) is \(job.state.name)" }
      return (try? FileStatus(job.output)) == nil ? nil : "job \(job.id) left \(job.output)"
    }
    return Check(
      promise: "what is no media fails and leaves nothing", seen: "\(hostile.count) jobs",
      violations: violations)
  }

  private var nothingStaged: Check {
    get throws {
      let directories = try Files.list(room.path("out")).map { "\(room.path("out"))/\($0)" }
      let left = try directories.flatMap { directory in
        try Files.list(directory).filter { $0.hasPrefix(".keymill") }.map { "\(directory)/\($0)" }
      }
      return Check(
        promise: "no staging directory is left", seen: "\(directories.count) directories",
        violations: left)
    }
  }

  private var soundQueue: Check {
    get throws {
      let doctor = try room.run(["doctor", "--db", room.queue], log: "doctor.log")
      return Check(
        promise: "the queue file is sound", seen: "keymill doctor",
        violations: doctor.status.isSuccess ? [] : [String(decoding: doctor.output, as: UTF8.self)])
    }
  }
}

extension JobStore {
  /// All jobs, oldest first.
  func everyJob() throws -> [Job] {
    var filter = JobFilter()
    filter.newestFirst = false
    filter.limit = .max
    return try list(filter)
  }

  /// All events, oldest first.
  func everyEvent() throws -> [JobEvent] { try events(after: 0, limit: .max) }
}
