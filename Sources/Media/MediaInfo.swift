import FFmpeg

/// What a media file holds, without decoding it: the facts behind `keymill probe`.
public struct MediaInfo {
  private let container: InputContainer

  /// Opens a file and reads its facts.
  ///
  /// - Throws: `MediaError` of kind `noInput` or `input`.
  public init(probing path: String) throws(MediaError) {
    LogCapture.start()
    do throws(FFmpegError) {
      container = try InputContainer(path: path)
    } catch {
      throw MediaError(error, input: path)
    }
  }

  /// The facts for a person, a line each.
  public var lines: [String] {
    var head = "\(container.path): \(container.formatLongName)"
    if let duration = container.duration { head += ", \(Timecode.text(duration))" }
    return [head]
      + container.streams.map { stream in
        var parts = ["  \(stream.index)", word(stream), StreamSummary.describe(stream)]
        if let rate = stream.video?.averageFrameRate?.value, !stream.isAttachedPicture {
          parts.append("\((rate * 1000).rounded() / 1000) fps")
        }
        if let video = stream.video {
          parts += [video.pixelFormat].compactMap { $0 } + colours(video)
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
    json.string("path", container.path)
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
    json.string("pixelFormat", video.pixelFormat)
    json.string("pixelAspect", "\(video.sampleAspectRatio.num):\(video.sampleAspectRatio.den)")
    json.number("frameRate", video.averageFrameRate?.value)
    json.string("orientation", video.displayTransform.description)
    json.string("matrix", matrix(video))
    json.string("range", video.colour.isFullRange ? "full" : "limited")
    json.bool("hdr", video.colour.isHDR)
    json.bool("alpha", video.hasAlphaSideChannel)
  }

  private func colours(_ video: VideoParameters) -> [String] {
    guard video.width > 0 else { return [] }
    var parts = [matrix(video), video.colour.isFullRange ? "full range" : "limited range"]
    if video.colour.isHDR { parts.append("HDR") }
    if !video.displayTransform.isIdentity { parts.append("turned \(video.displayTransform)") }
    return parts
  }

  private func matrix(_ video: VideoParameters) -> String {
    let isGuessed = video.colour.matrix == .unspecified ? " (by size)" : ""
    switch video.colour.resolvedMatrix(width: video.width, height: video.height) {
    case .bt601: return "bt601" + isGuessed
    case .bt709: return "bt709" + isGuessed
    case .bt2020: return "bt2020" + isGuessed
    case .rgb: return "rgb"
    case .unspecified: return "unspecified"
    case .other(let number): return "matrix \(number)"
    }
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
