import Foundation
import SampleScenes

/// Some seconds of the music box.
struct Sound {
  var seconds: Double

  /// Writes the sound to `file`, with `options` for ffmpeg after the raw input.
  func encode(with options: [String], to file: URL) throws {
    let input = ["-f", "s16le", "-ar", "\(MusicBox.sampleRate)", "-ac", "2", "-i", "pipe:0"]
    let samples = MusicBox.samples(seconds: seconds)
    let bytes = samples.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    try FFmpegCommand(arguments: input + options + [file.path]).run(feeding: bytes)
  }
}
