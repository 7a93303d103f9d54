import FFmpeg

/// Streams in the words of error messages and of `keymill probe`.
enum StreamSummary {
  /// All video and audio streams, such as `1 audio stream: mp3 44.1 kHz stereo`; what is there
  /// instead of what a recipe asked for.
  static func describe(_ streams: [Stream]) -> String {
    let kinds: [(Stream.Kind, String)] = [(.video, "video"), (.audio, "audio")]
    let parts = kinds.compactMap { kind, word -> String? in
      let found = streams.filter { $0.kind == kind && !$0.isAttachedPicture }
      guard !found.isEmpty else { return nil }
      let list = found.map(describe).joined(separator: ", ")
      return "\(found.count) \(word) stream\(found.count == 1 ? "" : "s"): \(list)"
    }
    let covers = streams.count { $0.isAttachedPicture }
    let all = parts + (covers == 0 ? [] : [covers == 1 ? "a cover picture" : "\(covers) pictures"])
    return all.isEmpty ? "no stream that keymill knows" : all.joined(separator: "; ")
  }

  /// One stream, such as `h264 640x480` or `mp3 44.1 kHz stereo`.
  static func describe(_ stream: Stream) -> String {
    let codec = stream.codecName == "none" ? "unknown codec" : stream.codecName
    if let video = stream.video, video.width > 0 {
      return "\(codec) \(video.width)x\(video.height)"
    }
    if let audio = stream.audio, audio.sampleRate > 0 {
      return "\(codec) \(kilohertz(audio.sampleRate)) kHz \(audio.channelLayout)"
    }
    return codec
  }

  /// Rate and channels of sound, such as `44.1 kHz stereo`.
  static func describe(_ format: AudioFormat) -> String {
    "\(kilohertz(format.sampleRate)) kHz \(format.channelLayout)"
  }

  private static func kilohertz(_ rate: Int) -> String {
    rate % 1000 == 0 ? String(rate / 1000) : String(Double(rate) / 1000)
  }
}
