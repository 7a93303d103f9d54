import Foundation

/// The `ffmpeg` program, which makes clips that no encoder of ours would.
enum FFmpegTool {
  static let absent = "there is no ffmpeg program to make clips with"

  private static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/ffmpeg" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isInstalled: Bool { path != nil }

  struct Failure: Error {
    var status: Int32
  }

  /// Runs it with words between spaces.
  static func run(_ arguments: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: path ?? "ffmpeg")
    process.arguments =
      ["-v", "error", "-nostdin"] + arguments.split(separator: " ").map(String.init)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus)
    }
  }
}
