import Platform

/// Media that take a few hundredths of a second, cut from the samples by the ffmpeg command, and files
/// that are not what their names say.
struct SmallMedia {
  /// A directory with the files in it.
  let directory: String

  /// Makes the files in a room.
  init(in room: Room) throws {
    directory = room.path("media")
    try Files.makeDirectory(directory)
    try cut(
      room, "sprite-magenta.mp4", to: "clip.mp4",
      "-t 0.3 -vf scale=160:-2 -c:v libx264 -pix_fmt yuv420p -c:a aac -b:a 64k")
    try cut(
      room, "sprite-green-noisy.mp4", to: "green.mp4",
      "-t 0.2 -vf scale=160:-2 -c:v libx264 -pix_fmt yuv420p -an")
    try cut(room, "track.mp3", to: "track.mp3", "-t 2 -c copy")
    try cut(room, "photo.jpg", to: "photo.jpg", "-vf scale=200:-2")
    // The index comes first, so that what is left of the frames can be found.
    try cut(room, "sprite-magenta.mp4", to: "whole.mp4", "-t 0.5 -c copy -movflags faststart")
    try write(truncating(room.path("media/whole.mp4"), to: 0.6), "damaged.mp4")
    // The index comes last and is not there.
    try write(truncating(room.path("media/clip.mp4"), to: 0.6), "truncated.mp4")
    try write(Array("This is not a clip.\n".utf8), "text.mp4")
    try write([], "empty.jpg")
  }

  /// The path of one of the files.
  func path(_ name: String) -> String { "\(directory)/\(name)" }

  private func cut(_ room: Room, _ sample: String, to name: String, _ options: String) throws {
    let arguments = options.split(separator: " ").map(String.init)
    let log = try FileDescriptor.open("\(directory)/ffmpeg.log", .append)
    let process = try ChildProcess(
      ChildProcess.Launch(
        "/usr/bin/env",
        ["ffmpeg", "-v", "error", "-y", "-i", room.sample(sample)] + arguments + [path(name)],
        descriptors: [2: log.rawValue]))
    let status = try process.wait().status
    guard status.isSuccess else {
      throw SoakError("ffmpeg \(status): see \(directory)/ffmpeg.log")
    }
  }

  private func truncating(_ path: String, to part: Double) throws -> [UInt8] {
    let bytes = try Files.read(path)
    return Array(bytes.prefix(Int(Double(bytes.count) * part)))
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try FileDescriptor.open(path(name), .create).writeAll(bytes)
  }
}
