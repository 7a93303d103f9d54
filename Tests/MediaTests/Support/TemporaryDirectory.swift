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
    let path = try Self.make()
    defer { try? Files.removeTree(path) }
    try await Self.$path.withValue(path) { try await function() }
  }

  /// Makes an empty directory that nobody else has.
  static func make() throws -> String {
    let base = Environment.current["TMPDIR"] ?? "/tmp"
    let path = base + "/keymill-media-" + String(UInt64.random(in: .min ... .max), radix: 36)
    try Files.makeDirectory(path)
    return path
  }
}

extension Trait where Self == TemporaryDirectory {
  /// An empty directory, found through `path(_:)`.
  static var temporaryDirectory: Self { Self() }
}

/// A path in the running test's directory.
func path(_ name: String) -> String { TemporaryDirectory.path + "/" + name }

/// Makes a file with this content in the running test's directory.
@discardableResult
func makeFile(_ name: String, _ bytes: [UInt8]) throws -> String {
  let file = try FileDescriptor.open(path(name), .create)
  try file.writeAll(bytes)
  try file.close()
  return path(name)
}
