import Foundation
import JobQueue
import TestSupport

/// The moment at which the tests begin.
let start = Date(timeIntervalSince1970: 1_750_000_000)

let supervisor = OwnerIdentity(bootID: "boot", pid: 100, startTime: 1, supervisor: "first")
let otherSupervisor = OwnerIdentity(bootID: "boot", pid: 200, startTime: 2, supervisor: "second")

var queuePath: String { TemporaryDirectory.path + "/queue.db" }

func openStore(
  _ role: JobStore.Role = .client, options: JobStore.Options = .init()
) throws -> JobStore {
  try JobStore(path: queuePath, role: role, options: options)
}

func newJob(_ input: String = "clip.mp4") -> NewJob {
  NewJob(
    input: input, output: "out/clip",
    recipe: JobRecipe(name: "sprite", digest: "d1", canonicalJSON: #"{"key":{}}"#))
}

extension JobStore {
  /// Submits one job and gives its number.
  @discardableResult
  func submit(_ input: String = "clip.mp4", _ change: (inout NewJob) -> Void = { _ in }) throws
    -> Job.ID
  {
    var new = newJob(input)
    change(&new)
    return try submit([new], now: start)[0].job.id
  }

  /// Claims the next job under a lease that ends at 30,000 on the boot clock.
  func claimNext(by owner: OwnerIdentity = supervisor, now: Date = start) throws -> Job? {
    try claim(limit: 1, owner: owner, leaseUntil: 30_000, now: now).first
  }

  /// Claims the next job and gives its lease.
  func claimLease() throws -> Lease? { try claimNext()?.lease }

  /// Brings a new job into a state, by the ways that lead there.
  func makeJob(in state: JobState) throws -> Job.ID {
    switch state {
    case .blocked:
      // The job it comes after waits in a queue from which nothing is claimed.
      try pause(queue: "parents")
      let parent = try submit { $0.queue = "parents" }
      return try submit { $0.after = [parent] }
    case .scheduled:
      return try submit { $0.due = start + 60 }
    case .available:
      return try submit()
    case .running:
      let id = try submit("clip.mp4", first)
      _ = try claimNext()
      return id
    case .completed: return try makeEnded(.completed(Completion()))
    case .failed: return try makeEnded(.failed("no video", .permanent))
    case .cancelled: return try makeEnded(.cancelled)
    case .quarantined:
      let id = try submit("clip.mp4", first)
      for _ in 0..<3 {
        if let lease = try claimLease() { try finish(lease, as: .crashed("signal 11"), now: start) }
      }
      return id
    }
  }

  /// Lets a job be claimed before all others.
  private func first(_ job: inout NewJob) { job.priority = .max }

  private func makeEnded(_ ending: Ending) throws -> Job.ID {
    let id = try submit("clip.mp4", first)
    if let lease = try claimLease() { try finish(lease, as: ending, now: start) }
    return id
  }
}
