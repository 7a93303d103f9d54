import FFmpeg
import Recipes

/// Which streams of an input serve which sections of a recipe.
struct MediaPlan {
  /// The stream that is keyed and that stills are taken from, decoded once for both.
  private(set) var video: FFmpeg.Stream?
  /// The tracks that the audio section takes.
  private(set) var audio: [AudioChoice.Track] = []
  /// The sections that apply; nil where the recipe has none or the input lacks its stream.
  private(set) var key: KeySection?
  /// See ``key``.
  private(set) var audioSection: AudioSection?
  /// See ``key``.
  private(set) var stills: StillsSection?

  /// Chooses the streams: of each kind the one a player would show, never a cover picture.
  ///
  /// Sections marked optional fall away with a note where their stream is missing.
  /// - Throws: `input` where a section that is not optional lacks its stream, or none applies.
  init(
    _ recipe: Recipe, for container: InputContainer, warnings: Warnings
  ) throws(MediaError) {
    let input = container.path
    let there = StreamSummary.describe(container.streams)
    /// Takes the stream found where it can be decoded; else tells why not.
    func usable(
      _ found: FFmpeg.Stream?, _ kind: FFmpeg.Stream.Kind, isOptional: Bool, missing: String
    ) throws(MediaError) -> FFmpeg.Stream? {
      if let found, found.hasDecoder { return found }
      let lame = found ?? container.streams.first { $0.kind == kind && !$0.isAttachedPicture }
      let reason = (lame?.hasDecoder == false ? lame : nil).map {
        "no decoder for its stream \($0.index) (\(StreamSummary.describe($0)))"
      }
      guard isOptional else {
        throw MediaError(.input, input, reason ?? "\(missing) (\(there))")
      }
      if let reason { warnings.damage(reason) } else { warnings.note("skipped: \(missing)") }
      return nil
    }
    func picture(isOptional: Bool, missing: String) throws(MediaError) -> FFmpeg.Stream? {
      try usable(container.bestStream(.video), .video, isOptional: isOptional, missing: missing)
    }
    if let section = recipe.key {
      video = try picture(isOptional: section.optional, missing: "no video stream to key")
      key = video == nil ? nil : section
    }
    if let section = recipe.stills {
      let found = try picture(
        isOptional: section.optional, missing: "no picture to take a still of")
      video = video ?? found
      stills = found == nil ? nil : section
    }
    if let section = recipe.audio {
      let choice = AudioChoice(section.track, in: container)
      for track in choice.tracks
      where try usable(
        track.stream, .audio, isOptional: section.optional, missing: choice.missing) != nil
      {
        audio.append(track)
      }
      if choice.tracks.isEmpty {
        _ = try usable(nil, .audio, isOptional: section.optional, missing: choice.missing)
      }
      audioSection = audio.isEmpty ? nil : section
    }
    warnEmptyStreams(of: container, warnings)
    guard video != nil || !audio.isEmpty else {
      throw MediaError(
        .input, input, warnings.isPartial ? warnings.first ?? there : "nothing to make: \(there)")
    }
  }

  /// Tells of tracks that are declared but have nothing in them, where the container counts frames.
  private func warnEmptyStreams(of container: InputContainer, _ warnings: Warnings) {
    guard container.streams.contains(where: { $0.frameCount != nil }) else { return }
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard !stream.isAttachedPicture, stream.frameCount == nil, stream.hasDecoder else { continue }
      warnings.damage("stream \(stream.index) (\(StreamSummary.describe(stream))) is empty")
    }
  }

  /// Drops the sections of a stream that turned out to have nothing that decodes.
  ///
  /// - Throws: `input` where one of them is not optional, or nothing is left.
  mutating func drop(
    _ kind: FFmpeg.Stream.Kind, because reason: String, input: String, warnings: Warnings
  ) throws(MediaError) {
    let isVideo = kind == .video
    let isRequired =
      isVideo
      ? key?.optional == false || stills?.optional == false : audioSection?.optional == false
    if isVideo {
      (video, key, stills) = (nil, nil, nil)
    } else {
      (audio, audioSection) = ([], nil)
    }
    guard !isRequired, video != nil || !audio.isEmpty else {
      throw MediaError(.input, input, reason)
    }
    warnings.damage(reason)
  }
}

extension MediaPlan {
  /// How long the clip is in seconds; nil for pictures.
  ///
  /// A container that does not tell is read through once, without decoding, where a section needs to
  /// know: percentages have to be of something.
  func duration(of container: InputContainer) throws(FFmpegError) -> Double? {
    guard !container.isSinglePicture else { return nil }
    if let video, let duration = video.duration, duration > 0 { return duration }
    if let duration = container.duration, duration > 0 { return duration }
    guard stills != nil, let video else { return nil }
    let copy = try container.reopened()
    copy.discardStreams(except: [video.index])
    let packet = try Packet()
    var (first, last) = (Double.infinity, 0.0)
    while (try? copy.readPacket(into: packet)) == true {
      guard let pts = packet.pts else { continue }
      first = min(first, video.timeBase.seconds(of: pts))
      last = max(last, video.timeBase.seconds(of: pts + (packet.duration ?? 0)))
    }
    return last > first ? last - first : nil
  }
}
