import Glibc
import Platform
import Testing

/// Gives each test an empty directory of its own, removed after it.
struct TemporaryDirectory: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal static var path = "/nonexistent"

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let base = Environment.current["TMPDIR"] ?? "/tmp"
    let path = base + "/keymill-fetch-" + String(UInt64.random(in: .min ... .max), radix: 36)
    try Files.makeDirectory(path)
    defer { try? Files.removeTree(path) }
    try await Self.$path.withValue(path) { try await function() }
  }
}

extension Trait where Self == TemporaryDirectory {
  /// An empty directory, found through `directory`.
  static var temporaryDirectory: Self { Self() }
}

/// The running test's directory.
var directory: String { TemporaryDirectory.path }

/// A path in the running test's directory.
func path(_ name: String) -> String { directory + "/" + name }
