import FFmpeg

/// What a media file holds, without decoding it: the facts behind `keymill probe`.
public struct MediaInfo {
  private let name: String
  private let container: InputContainer
  /// The picture itself, where the file is one: its header alone does not tell its colours.
  private let picture: Frame?

  /// Opens a file and reads its facts, under the `name` that people know it by if that is not its path.
  ///
  /// - Throws: `MediaError` of kind `noInput` or `input`.
  public init(probing path: String, named name: String? = nil) throws(MediaError) {
    LogCapture.start()
    self.name = name ?? path
    do throws(FFmpegError) {
      container = try InputContainer.open(path)
      picture = try container.isSinglePicture ? Self.firstFrame(of: container) : nil
    } catch {
      let error = MediaError(opening: path, error)
      throw MediaError(error.kind, name ?? path, error.message)
    }
  }

  private static func firstFrame(
    of container: InputContainer
  ) throws(FFmpegError) -> Frame? {
    guard let stream = container.bestStream(.video), stream.hasDecoder else { return nil }
    let decoder = try Decoder(for: stream, of: container)
    let packet = try Packet()
    guard try container.readPacket(into: packet) else { return nil }
    try decoder.send(packet)
    try decoder.sendEndOfStream()
    guard case .frame(let frame) = try decoder.receive() else { return nil }
    return frame
  }

  /// The facts for a person, a line each.
  public var lines: [String] {
    var head = "\(name): \(container.formatLongName)"
    if let duration = container.duration { head += ", \(Timecode.text(duration))" }
    return [head]
      + container.streams.map { stream in
        var parts = ["  \(stream.index)", word(stream), StreamSummary.describe(stream)]
        if let rate = stream.video?.averageFrameRate?.value, !stream.isAttachedPicture,
          picture == nil
        {
          parts.append("\((rate * 1000).rounded() / 1000) fps")
        }
        if let video = stream.video {
          parts += [picture?.pixelFormat.name ?? video.pixelFormat].compactMap { $0 }
          parts += colours(video)
        }
        if let language = stream.metadata["language"], language != "und" { parts.append(language) }
        if !stream.hasDecoder && stream.video != nil { parts.append("no decoder") }
        return parts.joined(separator: " ")
      }
  }

  /// The facts as one JSON document.
  public var json: String {
    var json = JSONEmitter()
    json.beginObject()
    json.string("path", name)
    json.integer("bytes", container.byteSize)
    json.string("format", container.formatName)
    json.number("duration", container.duration)
    json.number("startTime", container.startTime)
    json.integer("bitRate", container.bitRate)
    json.bool("picture", container.isSinglePicture)
    json.beginObject("tags")
    for (name, value) in container.metadata.sorted(by: { $0.key < $1.key }) {
      json.string(name, value)
    }
    json.end()
    json.beginArray("streams")
    for stream in container.streams { write(stream, &json) }
    json.end()
    json.end()
    return json.take()
  }

  private func write(_ stream: FFmpeg.Stream, _ json: inout JSONEmitter) {
    json.beginObject()
    json.integer("index", stream.index)
    json.string("type", word(stream))
    json.string("codec", stream.codecName)
    json.bool("decodable", stream.hasDecoder)
    json.bool("default", stream.isDefault)
    json.bool("cover", stream.isAttachedPicture)
    json.number("duration", stream.duration)
    json.integer("frames", stream.frameCount)
    json.string("language", stream.metadata["language"])
    if let video = stream.video { write(video, &json) }
    if let audio = stream.audio {
      json.integer("rate", audio.sampleRate)
      json.integer("channels", audio.channels)
      json.string("layout", audio.channelLayout)
      json.string("sampleFormat", audio.sampleFormat)
    }
    json.end()
  }

  private func write(_ video: VideoParameters, _ json: inout JSONEmitter) {
    json.integer("width", video.width)
    json.integer("height", video.height)
    json.string("pixelFormat", picture?.pixelFormat.name ?? video.pixelFormat)
    json.string("pixelAspect", "\(video.sampleAspectRatio.num):\(video.sampleAspectRatio.den)")
    json.number("frameRate", picture == nil ? video.averageFrameRate?.value : nil)
    json.string("orientation", orientation(video).description)
    json.string("matrix", matrix(video))
    json.string("range", colour(video).isFullRange ? "full" : "limited")
    json.bool("hdr", colour(video).isHDR)
    json.bool("alpha", video.hasAlphaSideChannel)
  }

  private func colours(_ video: VideoParameters) -> [String] {
    guard video.width > 0 else { return [] }
    var parts = [matrix(video), colour(video).isFullRange ? "full range" : "limited range"]
    if colour(video).isHDR { parts.append("HDR") }
    let orientation = orientation(video)
    if !orientation.isIdentity { parts.append("shown \(orientation)") }
    return parts
  }

  private func matrix(_ video: VideoParameters) -> String {
    let isGuessed = colour(video).matrix == .unspecified ? " (by size)" : ""
    switch colour(video).resolvedMatrix(width: video.width, height: video.height) {
    case .bt601: return "bt601" + isGuessed
    case .bt709: return "bt709" + isGuessed
    case .bt2020: return "bt2020" + isGuessed
    case .rgb: return "rgb"
    case .unspecified: return "unspecified"
    case .other(let number): return "matrix \(number)"
    }
  }

  private func colour(_ video: VideoParameters) -> ColourDescription {
    picture?.colour ?? video.colour
  }

  private func orientation(_ video: VideoParameters) -> DisplayTransform {
    picture?.displayTransform ?? video.displayTransform
  }

  private func word(_ stream: FFmpeg.Stream) -> String {
    switch stream.kind {
    case .video: stream.isAttachedPicture ? "cover" : "video"
    case .audio: "audio"
    case .subtitle: "subtitle"
    case .data: "data"
    case .attachment: "attachment"
    case .unknown: "unknown"
    }
  }
}
