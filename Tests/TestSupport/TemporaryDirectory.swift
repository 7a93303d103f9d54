import Platform
public import Testing

/// Gives each test a directory of its own, removed after it.
public struct TemporaryDirectory: TestTrait, SuiteTrait, TestScoping {
  /// The running test's directory.
  @TaskLocal public static var path = "/nonexistent"

  /// The directories that are in it from the start.
  let content: [String]

  /// Each test of a suite has its own.
  public var isRecursive: Bool { true }

  /// Runs a test with its directory.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let path = try Self.make()
    defer { try? Files.removeTree(path) }
    for name in content { try Files.makeDirectory(path + "/" + name) }
    try await Self.$path.withValue(path) { try await function() }
  }

  /// Makes an empty directory that nobody else has, for whoever is no test; it stays.
  public static func make() throws -> String {
    let base = Environment.current["TMPDIR"] ?? "/tmp"
    let path = base + "/keymill-test-" + String(UInt64.random(in: .min ... .max), radix: 36)
    try Files.makeDirectory(path)
    return path
  }
}

extension Trait where Self == TemporaryDirectory {
  /// An empty directory, found through ``directory`` and ``path(_:)``.
  public static var temporaryDirectory: Self { TemporaryDirectory(content: []) }

  /// A directory with empty ones in it.
  public static func temporaryDirectory(with content: String...) -> Self {
    TemporaryDirectory(content: content)
  }
}

/// The running test's directory.
public var directory: String { TemporaryDirectory.path }

/// A path in the running test's directory.
public func path(_ name: String) -> String { directory + "/" + name }
