import Foundation

/// The `ffmpeg` program, as the oracle of what is right.
enum FFmpegTool {
  static let absent = "there is no ffmpeg program to compare with"

  static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/ffmpeg" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isInstalled: Bool { path != nil }

  struct Failure: Error {
    var status: Int32
  }

  /// Runs it and gives what it writes to standard output.
  @discardableResult
  static func run(_ arguments: [String]) throws -> [UInt8] {
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
}
