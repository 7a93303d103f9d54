import Foundation
import Testing

/// Gives each test a directory of its own, which is removed afterwards.
struct TemporaryDirectory: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal static var path = ""

  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing body: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "keymill-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await Self.$path.withValue(directory) { try await body() }
  }
}

extension Trait where Self == TemporaryDirectory {
  /// A directory for each test: `TemporaryDirectory.path`.
  static var temporaryDirectory: Self { Self() }
}
