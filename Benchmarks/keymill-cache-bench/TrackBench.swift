import BenchCommands
import Foundation
import Platform

/// The measurements of what is made of a track, by the real program beside the `ffmpeg` command.
struct TrackBench {
  let directory: String
  private let keymill = URL(fileURLWithPath: ".build/release/keymill").path

  /// How often each command runs; the least counts.
  private static let rounds = 3

  func run() throws -> [Row] {
    let minute = try track(seconds: 60, name: "minute.mp3")
    let tenMinutes = try repeated(minute, times: 10, name: "10-minutes.mp3")
    let threeHours = try repeated(minute, times: 180, name: "3-hours.mp3")
    return [try measureCopy(threeHours), try measureFLAC(tenMinutes)]
      + (try measurePeaks(threeHours))
  }

  /// A copy beside `cp` with a sync, between two runs of `sha256sum`: what a copy has to prove is that
  /// the disk has what was read.
  private func measureCopy(_ track: String) throws -> Row {
    let recipe = try self.recipe("copy", #"{"audio": {"formats": ["copy"]}}"#)
    let copy = directory + "/copied.mp3"
    let proven = "sha256sum \(track) && cp \(track) \(copy) && sync \(copy) && sha256sum \(copy)"
    var (ours, theirs) = (Double.infinity, Double.infinity)
    for _ in 0..<Self.rounds {
      try? Files.removeFile(copy)
      theirs = min(theirs, try run(["/bin/sh", "-c", proven]).wall)
      ours = min(ours, try run(job(recipe, track)).wall)
    }
    let size = Double(try FileStatus(track).size) / 1e6
    let speeds = [ours, theirs].map { String(format: "%.0f", size / $0) }
    return Row(
      what: "mp3 → copy of \(Int(size)) MB, \(speeds[0]) MB/s, beside sha256sum, cp, sync and "
        + "sha256sum, \(speeds[1]) MB/s",
      value: ours / theirs, unit: "times", bar: 1)
  }

  private func measureFLAC(_ track: String) throws -> Row {
    let recipe = try self.recipe("flac", #"{"audio": {"formats": ["flac"]}}"#)
    var (ours, theirs) = (Double.infinity, Double.infinity)
    for _ in 0..<Self.rounds {
      let output = directory + "/theirs.flac"
      // As many bits as an mp3 is worth, which is what ours has.
      let command = [
        "ffmpeg", "-v", "error", "-y", "-i", track, "-sample_fmt", "s16", output,
      ]
      theirs = min(theirs, try run(command).cpu)
      ours = min(ours, try run(job(recipe, track)).cpu)
    }
    return Row(
      what: "mp3 → flac of 10 minutes, CPU, beside ffmpeg's \(String(format: "%.2f", theirs)) s",
      value: ours / theirs, unit: "times", bar: 1.05)
  }

  private func measurePeaks(_ track: String) throws -> [Row] {
    let recipe = try self.recipe("peaks", #"{"audio": {"formats": ["peaks"]}}"#)
    let use = try run(job(recipe, track))
    return [
      Row(
        what: "peaks of 3 hours, memory at most", value: use.peakMemory / 1e6, unit: "MB", bar: 60),
      Row(what: "peaks of 3 hours, CPU", value: use.cpu, unit: "s", bar: 60),
    ]
  }

  private func job(_ recipe: String, _ track: String) -> [String] {
    [keymill, "run", recipe, track, "-o", directory + "/out", "--threads", "1", "--quiet"]
  }

  private func recipe(_ name: String, _ json: String) throws -> String {
    let path = "\(directory)/\(name).json"
    try AtomicFile.write(json, to: path)
    return path
  }

  /// Noise and a tone, which is as much work as music, at 128 kbit/s.
  private func track(seconds: Int, name: String) throws -> String {
    let path = "\(directory)/\(name)"
    let noise = "anoisesrc=c=pink:d=\(seconds):a=0.3:seed=1:r=44100"
    // Nothing but frames, so that copies of them make one track.
    _ = try run([
      "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", noise, "-f", "lavfi",
      "-i", "sine=440:d=\(seconds):r=44100", "-filter_complex", "[0][1]amerge", "-b:a", "128k",
      "-write_xing", "0", "-id3v2_version", "0", path,
    ])
    return path
  }

  private func repeated(_ track: String, times: Int, name: String) throws -> String {
    let path = "\(directory)/\(name)"
    let bytes = try Files.read(track)
    let file = try FileDescriptor.open(path, .write)
    for _ in 0..<times { try file.writeAll(bytes) }
    return path
  }

  private func run(_ command: [String]) throws -> BenchRun {
    var environment = Environment.current
    environment["KEYMILL_CACHE"] = directory + "/cache"
    return try BenchCommand(command, environment: environment).run()
  }
}
