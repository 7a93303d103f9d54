import Foundation
import Testing

/// Gives each test a directory of its own, `TemporaryDirectory.current`, removed afterwards.
struct TemporaryDirectory: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal static var current = URL(filePath: "/nonexistent")

  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "keymill-ffmpeg-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await Self.$current.withValue(directory, operation: function)
  }

  /// The path of a file in the test's directory.
  static func path(_ name: String) -> String { current.appending(path: name).path }
}

extension Trait where Self == TemporaryDirectory {
  static var temporaryDirectory: Self { TemporaryDirectory() }
}
