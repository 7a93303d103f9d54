import BenchCommands
import Foundation

/// The bench's directory: the clips, made once, and what the runs write.
struct Workshop {
  private let directory = URL(fileURLWithPath: ".build/bench")
  private let products = URL(fileURLWithPath: ".build/release")

  /// Prepares the directory.
  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// The built command.
  var keymill: String { products.appendingPathComponent("keymill").path }

  /// A directory that does not exist, for one run's output; what was there is removed.
  func freshOutput() throws -> String {
    let output = directory.appendingPathComponent("out")
    if FileManager.default.fileExists(atPath: output.path) {
      try FileManager.default.removeItem(at: output)
    }
    return output.path
  }

  /// As ``freshOutput()``, but it exists: the ffmpeg command makes no directories.
  func emptyOutput() throws -> String {
    let output = try freshOutput()
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    return output
  }

  /// A clip of the sample scene on magenta; made now where it is not there yet.
  func clip(width: Int, height: Int, frames: Int) throws -> String {
    try cached("clip-\(width)x\(height)-\(frames).mp4") { path in
      let samples = products.appendingPathComponent("keymill-samples").path
      return [samples, "clip", "\(width)", "\(height)", "\(frames)", path]
    }
  }

  /// The first frames of a clip as raw 4:2:0 in a file.
  func raw(_ clip: String, frames: Int) throws -> String {
    let name = URL(fileURLWithPath: clip).deletingPathExtension().lastPathComponent
    return try cached("\(name)-first-\(frames).yuv") { path in
      [
        "ffmpeg", "-v", "error", "-y", "-i", clip, "-frames:v", "\(frames)", "-pix_fmt", "yuv420p",
        "-f", "rawvideo", path,
      ]
    }
  }

  /// The path of a recipe with this text.
  func recipe(_ name: String, _ text: String) throws -> String {
    let file = directory.appendingPathComponent("\(name).json")
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  /// A clip that repeats another so many times, packet by packet.
  func repeated(_ clip: String, times: Int) throws -> String {
    let name = URL(fileURLWithPath: clip).deletingPathExtension().lastPathComponent
    return try cached("\(name)-x\(times).mp4") { path in
      [
        "ffmpeg", "-v", "error", "-y", "-stream_loop", "\(times - 1)", "-i", clip, "-c", "copy",
        path,
      ]
    }
  }

  /// Runs a command, and measures it.
  func measure(_ command: [String]) throws -> BenchRun {
    try BenchCommand(command).run()
  }

  /// What the two commands call themselves: their first line's first three words.
  func versions() throws -> [String] {
    try [["ffmpeg", "-version"], [keymill, "--version"]].map { command in
      let line = try measure(command).said.prefix { !$0.isNewline }
      return line.split(separator: " ").prefix { !$0.hasPrefix("(") }.prefix(3).joined(
        separator: " ")
    }
  }

  private func cached(_ name: String, making command: (_ path: String) -> [String]) throws
    -> String
  {
    let file = directory.appendingPathComponent(name)
    guard !FileManager.default.fileExists(atPath: file.path) else { return file.path }
    let unfinished = directory.appendingPathComponent("unfinished-\(name)")
    _ = try measure(command(unfinished.path))
    try FileManager.default.moveItem(at: unfinished, to: file)
    return file.path
  }
}
