import Foundation

/// One run of the `ffmpeg` command that reads raw pictures or sound from its standard input.
///
/// The settings make the same bytes each time with the same build of ffmpeg: one thread, no dates,
/// no encoder names.
struct FFmpegCommand {
  /// What follows `-i` and the raw input's description: further inputs, codecs, the output file.
  let arguments: [String]

  /// Raw pictures of 3 (`rgb24`) or 4 (`rgba`) bytes a pixel on standard input.
  static func rawVideo(_ format: String, width: Int, height: Int, rate: Int) -> [String] {
    [
      "-f", "rawvideo", "-pixel_format", format, "-video_size", "\(width)x\(height)",
      "-framerate", "\(rate)", "-i", "pipe:0",
    ]
  }

  /// What every output gets so that its bytes depend on the input alone.
  static let reproducible = [
    "-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact",
    "-map_metadata", "-1",
  ]

  /// Runs the command, and writes to it what `feed` yields until that is nil.
  ///
  /// - Throws: ``FFmpegCommandError`` where the command cannot be found or fails.
  func run(feed: () -> [UInt8]?) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments
    let input = Pipe()
    process.standardInput = input
    try process.run()
    // A command that has ended makes the write fail; its own message and status say why.
    while let bytes = feed() {
      guard (try? input.fileHandleForWriting.write(contentsOf: bytes)) != nil else { break }
    }
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FFmpegCommandError(output: arguments.last ?? "", status: process.terminationStatus)
    }
  }

  /// Runs the command with one piece of input.
  func run(feeding bytes: [UInt8]) throws {
    var pending: [UInt8]? = bytes
    try run {
      defer { pending = nil }
      return pending
    }
  }
}

/// The `ffmpeg` command failed; what it had to say stands on standard error.
struct FFmpegCommandError: Error, CustomStringConvertible {
  /// The file that was to be written.
  let output: String
  /// The exit status; 127 where there is no such command.
  let status: Int32

  var description: String {
    status == 127
      ? "\(output): the ffmpeg command is missing (Debian package: ffmpeg)"
      : "\(output): ffmpeg failed with status \(status)"
  }
}
