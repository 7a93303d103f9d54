import Digests
import Foundation
import JobQueue

/// keymill's queue, in the same terms as ``Ceiling``.
final class Queue: JobTable {
  let store: JobStore
  private let owner = OwnerIdentity(bootID: "bench", pid: 1, startTime: 1, supervisor: "bench")
  private let recipe = JobRecipe(name: "sprite", digest: "d1", canonicalJSON: #"{"key":{}}"#)
  private var submitted = 1_000_000

  /// A new queue at `path`.
  init(path: String) throws { store = try JobStore(path: path, role: .client) }

  /// Submits jobs, each in a commit of its own.
  func submit(_ count: Int) throws {
    for job in makeJobs(count) { _ = try store.submit([job], now: Date()) }
  }

  /// Submits jobs in one commit.
  func submitTogether(_ count: Int) throws { _ = try store.submit(makeJobs(count), now: Date()) }

  /// Makes jobs that are not due.
  func schedule(_ count: Int) throws {
    var jobs = makeJobs(count)
    for index in jobs.indices { jobs[index].due = Date(timeIntervalSinceNow: 1e6) }
    _ = try store.submit(jobs, now: Date())
  }

  /// Claims and ends jobs, `batch` of them in a commit.
  func drain(_ count: Int, batch: Int) throws {
    try drain(count, batch: batch) { _ in Completion() }
  }

  /// The same with all that a real attempt leaves: a result document, a report, and a key.
  func drainAsThePool(_ count: Int) throws {
    let result = #"{"files":["# + String(repeating: #"{"sha256":"0123456789abcdef"},"#, count: 20)
    try drain(count, batch: 1000) { job in
      Completion(
        result: result,
        memoKey: MemoKey(input: SHA256Digest(of: "\(job)"), recipeDigest: "d1", engine: "1.0"))
    }
  }

  private func drain(_ count: Int, batch: Int, _ completion: (Job.ID) -> Completion) throws {
    var finished: [FinishedAttempt] = []
    var done = 0
    repeat {
      done += finished.count
      let claimed = try store.finishAndClaim(
        finished, limit: min(batch, count - done), owner: owner, leaseUntil: 30_000, now: Date()
      ).claimed
      finished = claimed.compactMap { job in
        job.lease.map { FinishedAttempt($0, .completed(completion(job.id))) }
      }
    } while !finished.isEmpty
  }

  private func makeJobs(_ count: Int) -> [NewJob] {
    (0..<count).map { _ in
      submitted += 1
      return NewJob(
        input: "/srv/media/inbox/2025/camera/clip-\(submitted).mp4",
        output: "/srv/media/published/clip-\(submitted)", recipe: recipe)
    }
  }
}
