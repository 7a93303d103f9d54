import Commands
import Foundation
import JobQueue
import Platform

/// Processes that claim and end the jobs of one queue, as fast as they can.
struct Competitors {
  private let count: Int
  private let queue: String

  /// So many at the queue in this file.
  init(_ count: Int, queue: String) {
    self.count = count
    self.queue = queue
  }

  /// Runs them until nothing is left.
  func run() throws {
    let processes = try (0..<count).map { number in
      try ChildProcess(
        ChildProcess.Launch(
          Executable.itself, [CompetitorCommand.name, queue, "--number", "\(number)"],
          descriptors: [2: 2]))
    }
    for process in processes {
      let status = try process.wait().status
      guard status.isSuccess else { throw BenchError("a competitor ended with \(status)") }
    }
  }

  /// The jobs that a competitor claimed.
  static func claims(of number: Int, in directory: String) throws -> [Substring] {
    try String(contentsOfFile: "\(directory)/claims-\(number)", encoding: .utf8)
      .split(separator: "\n")
  }
}

/// `keymill-queue-bench competitor`: one of them.
struct CompetitorCommand: Command {
  static let name = "competitor"
  static let summary = "Claim and end jobs until none is left"
  static let isHidden = true

  @Argument(help: "The queue.", valueName: "file")
  var queue: String
  @Option(help: "Which it is.", valueName: "n")
  var number: Int

  func run() throws {
    let store = try JobStore(path: queue, role: .client)
    let owner = OwnerIdentity(
      bootID: "bench", pid: getpid(), startTime: 1, supervisor: "competitor \(number)")
    var claims = ""
    var finished: [FinishedAttempt] = []
    repeat {
      let (states, jobs) = try store.finishAndClaim(
        finished, limit: 4, owner: owner, leaseUntil: 30_000, now: Date())
      guard states.allSatisfy({ $0 == .completed }) else { throw BenchError("a lease was lost") }
      claims += jobs.map { "\($0.id)\n" }.joined()
      finished = jobs.compactMap(\.lease).map { FinishedAttempt($0, .completed(Completion())) }
    } while !finished.isEmpty
    let directory = Files.parent(of: queue)
    try claims.write(toFile: "\(directory)/claims-\(number)", atomically: true, encoding: .utf8)
  }
}
