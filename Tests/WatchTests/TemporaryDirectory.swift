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
    let path = base + "/keymill-watch-" + String(UInt64.random(in: .min ... .max), radix: 36)
    try Files.makeDirectory(path + "/in")
    defer { try? Files.removeTree(path) }
    try await Self.$path.withValue(path) { try await function() }
  }
}

extension Trait where Self == TemporaryDirectory {
  /// An empty directory with another, `in`, in it.
  static var temporaryDirectory: Self { Self() }
}

/// A path in the running test's directory.
func path(_ name: String) -> String { TemporaryDirectory.path + "/" + name }

/// Makes a file in the running test's directory, as a copying program does.
func makeFile(_ name: String, _ text: String = "content") throws {
  let file = try FileDescriptor.open(path(name), .write)
  try file.writeAll(text)
}

/// Makes a file elsewhere and moves it to its place in the running test's directory.
func moveIn(_ name: String, _ text: String = "content") throws {
  try makeFile("elsewhere", text)
  try Files.rename(path("elsewhere"), to: path(name))
}
