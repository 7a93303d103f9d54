import Foundation
import Media
import Platform
import Recipes
import TestSupport
import Testing

/// A job that a test asks for.
struct JobOrder: Codable, Sendable {
  var recipe: String
  var input: String
  /// The directory to make.
  var staging: String
  var threads = 2

  /// The job; its tracks are named `clip`.
  func job() throws -> MediaJob {
    MediaJob(
      input: input, recipe: try Recipe(json: recipe, name: "test.json"), recipeName: "test",
      staging: staging, stem: "clip", threads: threads)
  }

  /// Carries it out in this process.
  fileprivate func carryOut() throws -> JobOutcome {
    let job = try job()
    do throws(MediaError) {
      return .made(JobOutcome.Result(try job.run()))
    } catch {
      return .refused(
        JobOutcome.Refusal(
          kind: error.kind.rawValue, subject: error.subject, message: error.message))
    }
  }
}

/// How a job ended.
enum JobOutcome: Codable, Sendable {
  /// What `MediaResult` says.
  struct Result: Codable, Sendable {
    let isPartial: Bool
    let warnings: [String]
    let files: Int
    let bytes: Int
    let copiedTracks: [String]

    init(_ result: MediaResult) {
      isPartial = result.isPartial
      warnings = result.warnings
      files = result.files
      bytes = result.bytes
      copiedTracks = result.copiedTracks.map(\.path)
    }
  }

  /// What `MediaError` says.
  struct Refusal: Codable, Sendable, Equatable {
    let kind: String
    let subject: String
    let message: String
  }

  case made(Result)
  case refused(Refusal)
}

/// Carries jobs out one after the other in a process of their own, as they run in earnest.
///
/// FFmpeg's log belongs to the whole process: here it would tell of the damaged files that other tests
/// read at the same time.
func carryOut(_ orders: [JobOrder]) async throws -> [JobOutcome] {
  let directory = try TemporaryDirectory.make()
  defer { try? Files.removeTree(directory) }
  await #expect(processExitsWith: .success) {
    [orders = orders as [JobOrder], directory = directory as String] in
    let outcomes = try orders.map { try $0.carryOut() }
    try JSONEncoder().encode(outcomes).write(to: URL(filePath: "\(directory)/outcomes"))
  }
  let json = Data(try Files.read("\(directory)/outcomes"))
  return try JSONDecoder().decode([JobOutcome].self, from: json)
}
