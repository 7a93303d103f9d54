import FFmpeg
import Loudness
import Recipes

/// What a first pass over a track finds, before anything can be made of it: how loud it is, and where
/// its silence ends and begins.
struct SoundSurvey {
  /// The samples from the first to the last that is no silence, counted from `from`; nil where there
  /// is none or the recipe does not ask.
  var sound: Range<Int>?
  /// The integrated loudness in LUFS at the rate and channels of the results; nil for silence, or
  /// where the recipe does not ask.
  var loudness: Double?
  /// The true peak at that rate and channels, 1 as full scale.
  var truePeak = 0.0
}

extension AudioSection {
  /// Whether a track has to be heard before anything can be made of it.
  var needsSurvey: Bool {
    (loudness != nil || trimSilence != nil) && formats.contains(where: \.isDecoded)
  }
}

extension SoundSurvey {
  /// Decodes a track of a file from beginning to end.
  ///
  /// What is damaged in it is told by the second pass. `reached` is called with the seconds heard so
  /// far; where it gives false, the pass ends.
  init(
    of stream: FFmpeg.Stream, in container: InputContainer, section: AudioSection,
    reached: (Double) -> Bool
  ) throws {
    let container = try container.reopened()
    container.discardStreams(except: [stream.index])
    let decoder = try SoundDecoder(stream, of: container, warnings: Warnings())
    var listener = Listener(section)
    let packet = try Packet()
    // A container that breaks off ends this pass as it will the next.
    while !listener.isSatisfied, (try? container.readPacket(into: packet)) == true {
      guard packet.streamIndex == stream.index else { continue }
      try decoder.decode(packet, position: { 0 }) { try listener.hear($0) }
      guard reached(listener.seconds) else { return }
    }
    try decoder.decode(nil, position: { 0 }) { try listener.hear($0) }
    try listener.finish()
    _ = LogCapture.take()
    sound = listener.silence?.sound
    loudness = listener.loudness?.integrated
    truePeak = listener.loudness?.truePeak ?? 0
  }

  /// Measures what it hears of a track.
  private struct Listener {
    let section: AudioSection
    var silence: SilenceFinder?
    var loudness: LoudnessMeter?
    private var cut: SoundCut?
    private var toFloats: SampleConverter?
    private var toTarget: SampleConverter?
    private var interleaved: [Float] = []
    private(set) var seconds = 0.0

    init(_ section: AudioSection) {
      self.section = section
      silence = section.trimSilence.map(SilenceFinder.init)
    }

    var isSatisfied: Bool { cut?.isComplete ?? false }

    mutating func hear(_ frame: Frame) throws {
      guard let format = frame.audioFormat else { return }
      if toFloats == nil { try prepare(format) }
      seconds += Double(frame.sampleCount) / Double(max(format.sampleRate, 1))
      guard let kept = try cut == nil ? frame : cut?.take(frame) else { return }
      if silence != nil { try toFloats?.convert(kept) { silence?.add($0) } }
      if loudness != nil { try toTarget?.convert(kept) { try measure($0) } }
    }

    mutating func finish() throws {
      guard loudness != nil else { return }
      try toTarget?.convert(nil) { try measure($0) }
    }

    private mutating func prepare(_ format: AudioFormat) throws {
      cut = SoundCut(section, sampleRate: format.sampleRate)
      toFloats = SampleConverter(toFloats: format)
      guard section.loudness != nil else { return }
      let target = section.format(of: format)
      toTarget = SampleConverter(to: target)
      loudness = try LoudnessMeter(channels: target.channels, sampleRate: target.sampleRate)
    }

    private mutating func measure(_ frame: Frame) throws {
      frame.interleave(into: &interleaved)
      try loudness?.add(interleaved.span)
    }
  }
}
