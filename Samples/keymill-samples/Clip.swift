import Foundation
import SampleScenes

/// A scene before a screen, as an H.264 file with or without sound.
struct Clip {
  var scene: MillScene
  var screen: Screen
  var rate: Int
  /// x264's constant rate factor.
  var quality: Int
  var hasSound: Bool

  /// The bench's clip: magenta, no sound, little loss.
  static func bench(_ scene: MillScene) -> Clip {
    Clip(scene: scene, screen: .magenta, rate: 24, quality: 18, hasSound: false)
  }

  /// Encodes every frame of the scene's loop into `file`.
  func write(to file: URL) throws {
    let scratch = try ScratchDirectory()
    var arguments = FFmpegCommand.rawVideo(
      "rgb24", width: scene.width, height: scene.height, rate: rate)
    if hasSound {
      let sound = scratch.url.appendingPathComponent("sound.wav")
      let seconds = Double(scene.frameCount) / Double(rate)
      try Sound(seconds: seconds).encode(with: ["-c:a", "pcm_s16le"], to: sound)
      arguments += ["-i", sound.path, "-c:a", "aac", "-b:a", "96k"]
    }
    arguments += Self.colors + ["-c:v", "libx264", "-crf", "\(quality)"]
    arguments += FFmpegCommand.reproducible + ["-movflags", "+faststart", file.path]
    var next = 0
    try FFmpegCommand(arguments: arguments).run {
      guard next < scene.frameCount else { return nil }
      defer { next += 1 }
      return screen.rgb(behind: scene.frame(next), frame: next)
    }
  }

  /// BT.601, limited range, 4:2:0, and said so in the file: nobody has to guess.
  private static let colors = [
    "-vf", "scale=flags=accurate_rnd+full_chroma_int:out_color_matrix=bt601:out_range=tv",
    "-pix_fmt", "yuv420p", "-colorspace", "smpte170m", "-color_primaries", "smpte170m",
    "-color_trc", "smpte170m", "-color_range", "tv",
  ]
}
