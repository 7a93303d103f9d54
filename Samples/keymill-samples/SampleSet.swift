import Foundation
import SampleScenes

/// The files of `samples/`.
struct SampleSet {
  let directory: URL
  private let scene = MillScene(width: 640, height: 480, frameCount: 90)

  init(directory: URL) {
    self.directory = directory
  }

  /// Makes every file anew.
  func write() throws {
    try FileManager.default.createDirectory(at: truth, withIntermediateDirectories: true)
    try writeClips()
    try writeTruth()
    try writeTrack()
    try writePhoto()
  }

  private var truth: URL { directory.appendingPathComponent("truth") }

  private func file(_ name: String) -> URL {
    directory.appendingPathComponent(name)
  }

  private func writeClips() throws {
    try Clip(scene: scene, screen: .magenta, rate: 30, quality: 20, hasSound: true)
      .write(to: file("sprite-magenta.mp4"))
    try Clip(scene: scene, screen: .greenCloth, rate: 30, quality: 27, hasSound: true)
      .write(to: file("sprite-green-noisy.mp4"))
  }

  /// The scene's own transparency, for frames counted from 1 as keymill counts them.
  private func writeTruth() throws {
    for number in [1, 30, 60] {
      let name = String(format: "%06d.png", number)
      try writePNG(scene.frame(number - 1), to: truth.appendingPathComponent(name))
    }
  }

  private func writePNG(_ picture: Picture, to file: URL) throws {
    let input = FFmpegCommand.rawVideo(
      "rgba", width: picture.width, height: picture.height, rate: 1)
    let output = ["-pred", "mixed", "-compression_level", "9"] + FFmpegCommand.reproducible
    try FFmpegCommand(arguments: input + output + [file.path]).run(feeding: picture.rgba)
  }

  /// Twelve seconds of music with a title, a performer and a cover.
  private func writeTrack() throws {
    let scratch = try ScratchDirectory()
    let cover = scratch.url.appendingPathComponent("cover.jpg")
    let scene = MillScene(width: 400, height: 400, frameCount: 90)
    let sky = Screen(color: [0x9F, 0xD3, 0xF2], unevenness: 0.35)
    try writeJPEG(
      rgb: sky.rgb(behind: scene.frame(29)), width: 400, height: 400, quality: 4, to: cover)
    let tags = [
      "title=The Turning Mill", "artist=keymill contributors", "album=keymill samples", "track=1/1",
      "date=2026", "genre=Chamber Music",
    ]
    let options =
      [
        "-i", cover.path, "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v",
        "attached_pic",
      ]
      + ["-metadata:s:v", "title=Album cover", "-metadata:s:v", "comment=Cover (front)"]
      + ["-c:a", "libmp3lame", "-b:a", "128k", "-id3v2_version", "3"]
      + FFmpegCommand.reproducible + tags.flatMap { ["-metadata", $0] }
    try Sound(seconds: 12).encode(with: options, to: file("track.mp3"))
  }

  /// A portrait picture stored lying on its left side, as a telephone stores it.
  private func writePhoto() throws {
    let stored = Landscape.picture(width: 1200, height: 1600).turnedLeft()
    let photo = file("photo.jpg")
    let rgb = Screen.magenta.rgb(behind: stored)
    try writeJPEG(rgb: rgb, width: stored.width, height: stored.height, quality: 3, to: photo)
    let upright = ExifOrientation.turnRight.inserted(into: [UInt8](try Data(contentsOf: photo)))
    try Data(upright).write(to: photo)
  }

  private func writeJPEG(rgb: [UInt8], width: Int, height: Int, quality: Int, to file: URL) throws {
    let input = FFmpegCommand.rawVideo("rgb24", width: width, height: height, rate: 1)
    let output =
      ["-c:v", "mjpeg", "-huffman", "optimal", "-pix_fmt", "yuvj420p", "-q:v", "\(quality)"]
      + FFmpegCommand.reproducible
    try FFmpegCommand(arguments: input + output + [file.path]).run(feeding: rgb)
  }
}
