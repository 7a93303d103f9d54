import Foundation
import JobQueue
import TestSupport
import Testing

/// What holds between processes, each of them a real one.
@Suite(.temporaryDirectory) struct ProcessTests {
  @Test func `each job is claimed and completed by one process, once`() async throws {
    let store = try openStore()
    _ = try store.submit((0..<400).map { newJob("\($0).mp4") }, now: start)
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [directory = TemporaryDirectory.path as String, number = number as Int] in
            try workOff(directory, number)
          }
        }
      }
    }
    let claimed = try (0..<4).flatMap { try claims(TemporaryDirectory.path, $0) }
    #expect(claimed.count == 400)
    #expect(Set(claimed).count == 400)
    #expect(try store.stats().queues["default"] == [.completed: 400])
    let ended = try store.events(after: 0, limit: .max).filter { $0.kind == .completed }
    #expect(ended.count == 400)
  }

  @Test func `processes that make the queue together all submit to it`() async throws {
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [directory = TemporaryDirectory.path as String, number = number as Int] in
            let store = try JobStore(path: directory + "/queue.db", role: .client)
            for job in 0..<25 { try store.submit("\(number)-\(job).mp4") }
          }
        }
      }
    }
    #expect(try openStore(.reader).list().count == 100)
  }

  @Test func `a process killed while it publishes has completed nothing`() async throws {
    let store = try openStore()
    let id = try store.submit()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [directory = TemporaryDirectory.path as String] in
      let store = try JobStore(path: directory + "/queue.db", role: .supervisor)
      guard let lease = try store.claimLease() else { return }
      _ = try store.publish(lease, Completion(), now: start) { _ = kill(getpid(), SIGKILL) }
    }
    #expect(try store.job(id)?.state == .running)
    let taken = try store.reclaim(by: otherSupervisor, bootNow: 0, now: start) { _ in false }
    #expect(taken.map(\.id) == [id])
    #expect(try store.claimNext(by: otherSupervisor)?.attempt == 2)
  }
}

private func claimsPath(_ directory: String, _ number: Int) -> String {
  directory + "/claims-\(number)"
}

private func claims(_ directory: String, _ number: Int) throws -> [Substring] {
  try String(contentsOfFile: claimsPath(directory, number), encoding: .utf8).split(separator: "\n")
}

/// Claims and completes jobs until none is left, and writes down each number as it is claimed.
private func workOff(_ directory: String, _ number: Int) throws {
  let store = try JobStore(path: directory + "/queue.db", role: .client)
  let owner = OwnerIdentity(
    bootID: "boot", pid: getpid(), startTime: 1, supervisor: "supervisor \(number)")
  var claimed = ""
  var finished: [FinishedAttempt] = []
  while true {
    let (states, jobs) = try store.finishAndClaim(
      finished, limit: 3, owner: owner, leaseUntil: 30_000, now: start)
    precondition(states.allSatisfy { $0 == .completed })
    if jobs.isEmpty { break }
    claimed += jobs.map { "\($0.id)\n" }.joined()
    finished = jobs.compactMap(\.lease).map { FinishedAttempt($0, .completed(Completion())) }
  }
  try claimed.write(toFile: claimsPath(directory, number), atomically: true, encoding: .utf8)
}
