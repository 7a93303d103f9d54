import Commands
import FFmpeg
import Media

/// `keymill probe`: what is in a file.
struct ProbeCommand: Command {
  static let name = "probe"
  static let summary = "Show what is in a media file"
  static let examples = [Example("keymill probe clip.mp4", "its streams, colours and turns")]

  @Argument(help: "The media file.", valueName: "file")
  var file: String
  @Flag(help: "Print JSON.")
  var json: Bool

  func run() throws {
    let info = try MediaInfo(probing: file)
    if json { return Output.write(info.json, to: 1) }
    info.lines.forEach(Output.result)
  }
}
