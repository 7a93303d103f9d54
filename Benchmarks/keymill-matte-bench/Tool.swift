import Foundation

/// Runs other programs to their end.
enum Tool {
  /// Runs a command that is found in PATH, or at its path; it may read `input`, and what it prints is
  /// dropped unless it fails.
  ///
  /// - Throws: ``ToolError`` with what it said where it does not end with status 0.
  static func run(_ command: [String], input: [[UInt8]] = []) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let (source, errors) = (Pipe(), Pipe())
    process.standardInput = source
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    // A command that has ended makes the write fail; its own message and status say why.
    for bytes in input {
      guard (try? source.fileHandleForWriting.write(contentsOf: bytes)) != nil else { break }
    }
    try? source.fileHandleForWriting.close()
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ToolError(
        description: "\(command.joined(separator: " ")): status \(process.terminationStatus): "
          + String(decoding: words, as: UTF8.self))
    }
  }

  /// The ffmpeg command, which says nothing but errors.
  static func ffmpeg(_ arguments: [String], input: [[UInt8]] = []) throws {
    try run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "1"] + arguments, input: input)
  }
}

/// A command that did not end well.
struct ToolError: Error, CustomStringConvertible {
  let description: String
}
