import Foundation
import TestSupport

/// The real `keymill` binary, as a user starts it: built beside the tests, with a state directory of
/// its own so that tests never meet each other's queue or cache.
struct KeymillProcess {
  /// How a run ended and what it said.
  struct Result {
    let exitCode: Int32
    let isSignal: Bool
    let output: String
    let errors: String

    /// The last line on standard error, where a failing run gives its reason.
    var reason: String {
      errors.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// Standard output as JSON.
    func json() throws -> [String: Any] {
      let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
      guard let object = value as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
      return object
    }
  }

  /// The directory that this test may use.
  let directory: URL

  /// A fresh directory under the system's temporary one.
  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "keymill-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// Removes the directory and all in it.
  func cleanUp() { try? FileManager.default.removeItem(at: directory) }

  /// A path inside the test's directory.
  func path(_ name: String) -> String {
    directory.appending(path: name).path(percentEncoded: false)
  }

  /// Runs the binary to its end.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
    try run(arguments, environment: environment)
  }

  /// Runs the binary to its end.
  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
    let running = try start(arguments, environment: environment)
    return try running.wait()
  }

  /// Starts the binary and leaves it running.
  func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = directory
    var variables = ProcessInfo.processInfo.environment
    variables["XDG_STATE_HOME"] = path("state")
    variables["XDG_CACHE_HOME"] = path("cache")
    variables["KEYMILL_DB"] = nil
    variables["KEYMILL_CACHE"] = nil
    variables.merge(environment) { $1 }
    process.environment = variables
    // Files, not pipes: a full pipe that nobody reads would hang the test.
    let name = UUID().uuidString
    let running = Running(
      process: process, output: directory.appending(path: ".\(name).out"),
      errors: directory.appending(path: ".\(name).err"))
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try Self.created(running.output)
    process.standardError = try Self.created(running.errors)
    try process.run()
    return running
  }

  /// A started binary.
  struct Running {
    let process: Process
    let output: URL
    let errors: URL

    /// Waits for the end.
    func wait() throws -> Result {
      process.waitUntilExit()
      return Result(
        exitCode: process.terminationStatus,
        isSignal: process.terminationReason == .uncaughtSignal,
        output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
  }

  private static func created(_ file: URL) throws -> FileHandle {
    try Data().write(to: file)
    return try FileHandle(forWritingTo: file)
  }

  /// The binary lies beside the test bundle that runs now.
  static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "keymill")
}
