import BenchCommands
import Foundation
import MatteTruth
import SampleScenes

/// The bench's directory, in which clips are made and keyers leave their frames.
struct Workshop: Sendable {
  let directory: URL

  /// Makes the directory anew.
  init(directory: URL) throws {
    self.directory = directory
    remove()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// Removes the directory with all in it.
  func remove() {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Encodes a scene under a condition, in a directory of its own; `frames` is its truth from frame
  /// 0 on, and those in `judged` are for the keyers.
  func clip(
    of scene: TruthScene, _ frames: [Picture], under condition: Condition, judged: Range<Int>
  )
    throws -> Clip
  {
    let room = directory.appendingPathComponent("\(scene.name)-\(condition.rawValue)")
    try FileManager.default.createDirectory(at: room, withIntermediateDirectories: true)
    let screen = scene.screen(of: condition.key, isDirty: condition == .dirty)
    let clip = Clip(
      room: room, width: scene.width, height: scene.height, screen: screen.color, judged: judged)
    let raw = frames.enumerated().map { screen.rgb(behind: $1, frame: $0) }
    let size = "\(scene.width)x\(scene.height)"
    try BenchCommand.ffmpeg(
      ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", "24", "-i", "pipe:0"]
        + condition.encoding + ["-threads", "1", clip.path]
    ).run(input: raw)
    return clip
  }
}

/// An encoded scene.
struct Clip: Sendable {
  /// Where the clip lies, and where what is made of it may be put.
  let room: URL
  let width: Int
  let height: Int
  /// The screen's colour in full light, as a user would name it.
  let screen: SIMD3<UInt8>
  /// The frames whose mattes are judged.
  let judged: Range<Int>

  var path: String { file("clip.mp4") }

  /// The path of a file in the clip's room.
  func file(_ name: String) -> String { room.appendingPathComponent(name).path }

  /// The screen's colour, 0…1.
  var key: SIMD3<Float> { SIMD3<Float>(screen) / 255 }

  /// The screen's colour in six hexadecimal digits.
  var keyName: String { String(format: "%02x%02x%02x", screen.x, screen.y, screen.z) }

  /// An ffmpeg filter that leaves the judged frames; their times begin at 0, or else the first would
  /// be repeated to fill what is missing.
  var trim: String {
    "trim=start_frame=\(judged.lowerBound):end_frame=\(judged.upperBound),setpts=PTS-STARTPTS"
  }

  /// Reads raw frames that ffmpeg left in the clip's room, and removes them.
  func rawFrames(_ name: String, channels: Int) throws -> [MattePicture] {
    let file = room.appendingPathComponent(name)
    defer { try? FileManager.default.removeItem(at: file) }
    let frames = MattePicture.frames(
      ofRaw: [UInt8](try Data(contentsOf: file)), width: width, height: height, channels: channels)
    guard frames.count == judged.count else {
      throw BenchCommandError("\(file.path): \(frames.count) frames, not \(judged.count)")
    }
    return frames
  }
}
