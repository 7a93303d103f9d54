import AudioCache
import Commands
import FFmpeg
import Media
import Platform
import Recipes
import Worker

/// `keymill probe`: what is in a file.
struct ProbeCommand: Command {
  static let name = "probe"
  static let summary = "Show what is in a media file"
  static let discussion = """
    A URL is downloaded into the cache first, as for `run`, and kept there if it leads to media.
    """
  static let examples = [
    Example("keymill probe clip.mp4", "its streams, colours and turns"),
    Example("keymill probe https://example.org/a.mp3", "downloaded once, and kept"),
  ]

  @Argument(help: "The media file, or an http or https URL of one.", valueName: "file")
  var file: String
  @OptionGroup var downloadOptions: DownloadArguments
  @Flag(help: "Print JSON.")
  var json: Bool

  func run() throws {
    let url = InputName(file)
    if InputName.scheme(of: file) != nil { _ = try Inputs.check(file) }
    guard url.isURL else { return tell(try MediaInfo(probing: file)) }
    let cache = try CacheOptions().open()
    let downloaded = try download(url, into: cache)
    let info = try MediaInfo(probing: downloaded.path, named: url.shown)
    try downloaded.accept(in: cache)
    tell(info)
  }

  private func tell(_ info: MediaInfo) {
    if json { return Output.write(info.json, to: 1) }
    info.lines.forEach(Output.result)
  }

  private func download(_ url: InputName, into cache: TrackCache) throws -> DownloadedInput {
    let signals = try SignalWatch([.interrupt, .terminate, .hangup])
    let bar = TerminalProgress()
    defer { bar.clear() }
    let options = downloadOptions.options(cache, maxAge: DownloadArguments.usualMaxAge)
    return try Downloader(options, signals).fetch(url) { bar.show($0, of: url) }
  }
}
