import Foundation
public import Testing

/// The `ffmpeg` program, which makes clips that no encoder of ours would, and is the oracle of what is
/// right.
public enum FFmpegTool {
  /// Why tests that need it are skipped.
  public static let absent: Comment = "there is no ffmpeg program"

  private static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/ffmpeg" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether the machine has it.
  public static var isInstalled: Bool { path != nil }

  /// It ended with this status.
  public struct Failure: Error {
    /// What it returned.
    public let status: Int32
  }

  /// Runs it and gives what it writes to standard output.
  @discardableResult
  public static func run(_ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: path ?? "ffmpeg")
    process.arguments = ["-v", "error", "-nostdin"] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus)
    }
    return Array(data)
  }

  /// Runs it with words between spaces.
  public static func run(_ arguments: String) throws {
    try run(arguments.split(separator: " ").map(String.init))
  }
}
