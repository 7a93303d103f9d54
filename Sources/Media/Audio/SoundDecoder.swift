import FFmpeg

/// A track's sound as a player hears it: decoded, without what encoders put around it, and in one
/// format from beginning to end.
final class SoundDecoder {
  private let decoder: StreamDecoder
  private let word: String
  private let warnings: Warnings
  private var trimmer: PaddingTrimmer
  private var format: AudioFormat?
  /// The first of the frames that are like the one before.
  private var current: Frame?
  /// Brings what comes in another format to that of the first frame; nil while there was none.
  private var converter: Resampler?
  private var hasToldWrongEnd = false
  private var nonsense = NonsenseFilter()
  private var sampleRate = 0
  /// Of MP3 alone.
  private var joined: JoinedMP3?
  /// Of Opus alone.
  private var chained: JoinedOpus?

  /// Opens the decoder of a track; `word` says in warnings what it decodes.
  init(
    _ stream: FFmpeg.Stream, of container: InputContainer, word: String = "audio",
    warnings: Warnings
  ) throws {
    self.word = word
    self.warnings = warnings
    decoder = try StreamDecoder(
      stream, of: container, threads: 1, word: word, warnings: warnings, keepsPadding: true)
    joined = stream.codecName == "mp3" ? JoinedMP3() : nil
    chained = stream.codecName == "opus" ? JoinedOpus() : nil
    trimmer = PaddingTrimmer(
      try DeclaredLength(of: stream, in: container),
      delay: stream.unmarkedDelay(in: container))
  }

  /// Decodes a packet, or with nil what is left, and gives the samples to `show`.
  ///
  /// `position` tells how far the track has come, in seconds, for warnings.
  func decode(
    _ packet: Packet?, position: () -> Double, show: (Frame) throws -> Void
  ) throws {
    if let packet, try !clean(packet, position()) { return }
    try decoder.decode(packet, position: position) { frame in
      for piece in try trimmer.take(frame) { try pass(piece, position(), show) }
      tellWrongEnd(position())
    }
    guard packet == nil else { return }
    tellNonsense()
    guard let converter else { return }
    try converter.sendEndOfStream()
    while let frame = try converter.receive() { try show(frame) }
  }

  /// Takes out of a packet what another file's beginning has put there; false where nothing is left.
  private func clean(_ packet: Packet, _ seconds: Double) throws -> Bool {
    if var chained {
      let hasSound = try chained.clean(packet)
      if chained.joints > self.chained?.joints ?? 0 {
        trimmer.beginAgain()
        decoder.beginAgain()
        tellJoint("Opus", seconds)
      }
      self.chained = chained
      return hasSound
    }
    guard var joined else { return true }
    let hasSound = joined.clean(packet)
    if joined.joints > self.joined?.joints ?? 0 { tellJoint("MP3", seconds) }
    self.joined = joined
    return hasSound
  }

  private func tellJoint(_ kind: String, _ seconds: Double) {
    warnings.note(
      "\(word) at \(Timecode.text(seconds)): another \(kind) file begins here, joined to the one before; "
        + "both are made as one track")
  }

  private func pass(_ frame: Frame, _ seconds: Double, _ show: (Frame) throws -> Void) throws {
    let frame = try nonsense.clean(frame)
    if current?.isAlike(frame) != true { try change(to: frame, at: seconds) }
    guard let converter else { return try show(frame) }
    try converter.send(frame)
    while let frame = try converter.receive() { try show(frame) }
  }

  private func change(to frame: Frame, at seconds: Double) throws {
    guard let found = frame.audioFormat else { return }
    if current == nil { sampleRate = found.sampleRate }
    if current != nil { tellChange(to: found, at: seconds) }
    current = frame
    let format = format ?? found
    self.format = format
    if found != format, converter == nil { converter = try Resampler(to: format) }
  }

  private func tellChange(to found: AudioFormat, at seconds: Double) {
    guard let format, found.sampleRate != format.sampleRate || found.channels != format.channels
    else { return }
    warnings.note(
      "\(word) at \(Timecode.text(seconds)): \(StreamSummary.describe(found)) from here on; "
        + "made \(StreamSummary.describe(format)) like the beginning")
  }

  private func tellNonsense() {
    guard let first = nonsense.first else { return }
    let seconds = Double(first) / Double(max(sampleRate, 1))
    let (samples, are) = nonsense.count == 1 ? ("sample", "is") : ("samples", "are")
    warnings.damage(
      "\(word) at \(Timecode.text(seconds)): \(nonsense.count) \(samples) from here on \(are) no "
        + "number or beyond all measure; silent instead")
  }

  private func tellWrongEnd(_ seconds: Double) {
    guard trimmer.wasWrong, !hasToldWrongEnd else { return }
    hasToldWrongEnd = true
    warnings.note(
      "\(word) at \(Timecode.text(seconds)): the file's header has the track end here; it goes on")
  }
}
