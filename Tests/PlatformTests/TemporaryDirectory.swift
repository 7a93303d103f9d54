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
    let path = base + "/keymill-platform-" + String(UInt64.random(in: .min ... .max), radix: 36)
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

/// Makes a file with this content in the running test's directory.
@discardableResult
func makeFile(_ name: String, _ text: String = "content") throws -> String {
  let file = try FileDescriptor.open(path(name), .write)
  try file.writeAll(text)
  return path(name)
}

/// Makes a symbolic link.
func makeLink(_ path: String, to target: String) throws {
  try #require(unsafe symlink(target, path) == 0)
}

/// A file's content as text.
func text(_ path: String) throws -> String {
  String(decoding: try Files.read(path), as: UTF8.self)
}

/// A directory on another file system than the tests' own, where the machine has one.
let otherFileSystem: String? = {
  guard let shared = try? FileStatus("/dev/shm"), let own = try? FileStatus("/tmp"),
    shared.kind == .directory, shared.device != own.device, unsafe access("/dev/shm", W_OK) == 0
  else { return nil }
  return "/dev/shm"
}()
