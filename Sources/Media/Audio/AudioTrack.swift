import FFmpeg
import Platform
import Recipes

/// What the manifest says of a track of the input, and of what was made of it.
struct TrackReport {
  /// The track as the container describes it.
  let stream: FFmpeg.Stream
  /// Its number among the audio tracks of the input, from 1.
  let number: Int
  /// How long it is heard, in seconds: without what encoders put around it; nil where nothing tells.
  let duration: Double?
  /// What was measured, where the recipe asks for a report.
  let measured: SoundReport?
  /// What a loudness target has changed the level by, in dB.
  let gain: Double?
  /// The files.
  let files: [TrackFile]
}

/// One track of the `audio` section of a job: its packets copied, decoded, or both.
final class AudioTrack {
  /// The track as the container describes it.
  let stream: FFmpeg.Stream
  private let number: Int
  private let staging: StagingDirectory
  private let warnings: Warnings
  private let word: String
  private let copy: TrackCopy?
  private let cover: CoverOutput?
  private let meter: SoundMeter?
  private let chain: SoundChain?
  private let decoder: SoundDecoder?
  private let gain: Double?
  private let section: AudioSection
  private let survey: SoundSurvey?
  private var start: Double?
  private var decodedCount = 0
  private let declared: DeclaredLength?
  /// Samples that are not heard, by the word of the container.
  private var padding: SamplePadding
  /// Whether the last packet ends in time where the sound does: of Ogg, whose pages tell the end.
  private let isCutAtEnd: Bool
  private(set) var packetCount = 0
  private(set) var position = 0.0
  /// Where the last packet ends, in seconds from the first.
  private(set) var end = 0.0
  /// What the recipe asks for and the track has not, in the words of an error; nil where all that was
  /// asked for was made.
  private(set) var shortfall: String?

  /// Opens what the section's formats need.
  ///
  /// `survey` is what a first pass has found, where the section needs one; the files are named after
  /// `stem`.
  init(
    _ track: AudioChoice.Track, of container: InputContainer, section: AudioSection,
    survey: SoundSurvey?, stem: String, into staging: StagingDirectory, warnings: Warnings
  ) throws {
    stream = track.stream
    number = track.number
    self.staging = staging
    self.warnings = warnings
    self.section = section
    self.survey = survey
    word = track.isAlone ? "audio" : "audio track \(track.number)"
    declared = try DeclaredLength(of: stream, in: container)
    padding = SamplePadding(leading: stream.unmarkedDelay(in: container))
    isCutAtEnd = container.formatName == "ogg"
    Self.warnOfJunk(before: stream, of: container, word, warnings)
    gain = section.loudness.flatMap { target in survey?.loudness.map { target - $0 } }
    copy =
      section.formats.contains(.copy)
      ? try TrackCopy(stream, of: container, stem: stem, into: staging) : nil
    cover =
      section.formats.contains(.cover)
      ? CoverOutput(of: container, stem: stem, into: staging) : nil
    if section.formats.contains(.cover), cover == nil {
      let missing = "no cover picture in the tags"
      // Beside other files the cover is an extra that many tracks lack.
      if section.formats == [.cover] {
        shortfall = missing
      } else {
        warnings.note("skipped: \(missing)")
      }
    }
    let sinks = try Self.sinks(
      section, stream, container, copyName: copy?.name, stem: stem, into: staging,
      warnings: warnings)
    meter =
      section.report
      ? SoundMeter(silenceLevel: section.trimSilence ?? AudioSection.silenceLevel) : nil
    guard !sinks.isEmpty || meter != nil else {
      (chain, decoder) = (nil, nil)
      return
    }
    chain = SoundChain(section, survey: survey, meter: meter, sinks: sinks)
    decoder = try SoundDecoder(stream, of: container, word: word, warnings: warnings)
  }

  /// Whether nothing came out: no packet, or no sample, where those are asked for.
  var isEmpty: Bool {
    (copy != nil && packetCount == 0) || (decoder != nil && decodedCount == 0)
  }

  /// Whether nothing that follows in the track is wanted.
  var isSatisfied: Bool { copy == nil && chain?.isSatisfied ?? true }

  /// Takes the track's next packet; damage becomes a warning.
  func consume(_ packet: Packet) throws {
    packetCount += 1
    if packet.isCorrupt {
      warnings.damage("\(word) at \(Timecode.text(position)): a damaged packet")
    }
    if stream.codecName == "mp3", packet.size > MP3Frame.longest,
      packet.withBytes({ JoinedMP3.tagSize($0) }) == 0
    {
      warnings.damage(
        "\(word) at \(Timecode.text(position)): \(packet.size) bytes of the file are no sound")
    }
    let padding = packet.padding
    self.padding.leading += padding.leading
    if !isCutAtEnd { self.padding.trailing += padding.trailing }
    if let seconds = packet.pts.map(stream.timeBase.seconds(of:)) {
      start = start ?? seconds
      position = max(position, seconds - (start ?? 0))
      end = max(end, position + stream.timeBase.seconds(of: packet.duration ?? 0))
    }
    try decode(packet)
    try copy?.write(packet)
  }

  /// Completes the files; gives nothing where there are none.
  func finish() throws -> TrackReport? {
    try decode(nil)
    guard !isEmpty else { return nil }
    let check = ReadBack()
    if let chain {
      if chain.hasPassed { noteSilence() } else { shortfall = wordsOfCut }
    }
    var files = try copy?.finish(check) ?? []
    files += try chain?.finish(check) ?? []
    noteLoudness()
    files += try cover?.finish(check) ?? []
    if files.isEmpty, shortfall == nil {
      shortfall =
        copy?.refusal ?? "\(word) is too short to make anything of it"
    }
    guard !files.isEmpty else { return nil }
    if let refusal = copy?.refusal { warnings.note("skipped: \(refusal)") }
    for file in files { try staging.ledger.add(file.record) }
    return TrackReport(
      stream: stream, number: number, duration: heardDuration, measured: meter?.report,
      gain: gain, files: files)
  }

  /// How long the track is heard: by what was decoded of it, or else by what container and packets say.
  private var heardDuration: Double? {
    guard let rate = stream.audio?.sampleRate, rate > 0 else { return end > 0 ? end : nil }
    if let chain, !chain.isSatisfied { return Double(decodedCount) / Double(rate) }
    let stored = Int((end * Double(rate)).rounded())
    // A file that breaks off has less than it says.
    let count =
      declared.map { min($0.count(leading: padding.leading), stored) }
      ?? stored - padding.leading - padding.trailing
    return count > 0 ? Double(count) / Double(rate) : nil
  }

  /// Tells what could not be done to a track that is silent throughout.
  private func noteSilence() {
    guard let survey else { return }
    if section.trimSilence != nil, survey.sound == nil {
      warnings.note("\(word) is silent throughout: nothing was left out of it")
    }
    if let loudness = section.loudness, survey.loudness == nil {
      warnings.note(
        "\(word) is too quiet or too short to be measured: not brought to \(loudness) LUFS")
    }
  }

  /// Tells where a track is quieter than it was to be, since its peaks had to be held down.
  private func noteLoudness() {
    guard let target = section.loudness, let reached = chain?.limitedLoudness,
      target - reached > Self.loudnessTolerance
    else { return }
    let level = (reached * 10).rounded() / 10
    warnings.note(
      "\(word) is brought to \(level) LUFS instead of \(target): louder, its peaks would exceed "
        + "\(section.truePeak) dBTP")
  }

  /// What EBU R 128 (2020) allows a programme to be off, in LU.
  private static let loudnessTolerance = 0.5

  /// Why nothing lies between `from` and `to`.
  private var wordsOfCut: String {
    let end = Double(decodedCount) / Double(max(stream.audio?.sampleRate ?? 0, 1))
    let from = section.from.map { Timecode.text($0 / .seconds(1)) } ?? "its beginning"
    return "\(word) ends at \(Timecode.text(end)), and the recipe takes it from \(from) on"
  }

  private func decode(_ packet: Packet?) throws {
    guard let decoder, let chain, !chain.isSatisfied || packet == nil else { return }
    try decoder.decode(packet, position: { position }) {
      decodedCount += $0.sampleCount
      try chain.write($0)
    }
  }
}

extension AudioTrack {
  /// Tells of bytes before the first frame of an MP3 file, which FFmpeg passes over without a word.
  private static func warnOfJunk(
    before stream: FFmpeg.Stream, of container: InputContainer, _ word: String,
    _ warnings: Warnings
  ) {
    guard container.formatName == "mp3",
      let start = try? MP3Beginning(ofFileAt: container.path, frames: 3)
    else { return }
    if start.isTagWrong {
      warnings.note(
        "\(word) at \(Timecode.text(0)): the tags of the file say that they go on behind byte "
          + "\(start.firstFrame), where the sound begins")
    }
    guard !start.junk.isEmpty else { return }
    let text =
      "\(word) at \(Timecode.text(0)): \(start.junk.count) bytes before the first frame, from byte "
      + "\(start.junk.lowerBound) of the file on, are no sound"
    // Less may be the rest of a frame or of a header; nothing that was there to be heard is missing.
    if start.junk.count > MP3Frame.longest { warnings.damage(text) } else { warnings.note(text) }
  }

  /// All that is made of the decoded sound.
  private static func sinks(
    _ section: AudioSection, _ stream: FFmpeg.Stream, _ container: InputContainer,
    copyName: String?, stem: String, into staging: StagingDirectory, warnings: Warnings
  ) throws -> [any SoundSink] {
    let bits = section.bits ?? ((stream.audio?.bitDepth ?? 16) > 16 ? 24 : 16)
    let tags = TrackTags(of: stream, in: container, isLevelled: section.loudness != nil)
    return try section.formats.flatMap { format -> [any SoundSink] in
      if let encoding = SoundEncoding(format, bits: bits) {
        var name = "audio/\(stem).\(encoding.container.fileExtension)"
        // A copy of the same kind has the name already.
        if name == copyName {
          let word = format == .wav ? "decoded" : "encoded"
          name = "audio/\(stem)-\(word).\(encoding.container.fileExtension)"
        }
        return [
          EncodedTrack(
            format, encoding, bits: bits, rate: section.bitrate, name: name, tags: tags,
            in: staging, warnings: warnings)
        ]
      }
      switch format {
      case .peaks: return [PeaksOutput(section, stem: stem, in: staging)]
      case .spectrogram: return [try SpectrogramOutput(stem: stem, in: staging)]
      default: return []
      }
    }
  }
}

/// What is known of the frames of an MP3 file.
private enum MP3Frame {
  /// Bytes of a frame at most: 320 kbit/s at 32 kHz, and as much again for free formats.
  ///
  /// The parser hands over whatever lies between two frames as one packet.
  static let longest = 2881
}
