import FFmpeg
import Recipes

/// What becomes of a track's sound between decoder and files: cut, brought to a rate, to channels and
/// to a loudness, and handed to all that is made of it.
final class SoundChain {
  private let section: AudioSection
  private let survey: SoundSurvey?
  private let meter: SoundMeter?
  private let sinks: [any SoundSink]
  private var stages: Stages?
  private var isComplete = false
  /// Whether any sample has passed `from` and `to`.
  private(set) var hasPassed = false

  /// The steps that depend on the format of the first samples; nil for those that are not needed.
  private struct Stages {
    var cut: SoundCut?
    var trim: SoundCut?
    var converter: SampleConverter?
    var leveller: Leveller?
  }

  /// A chain that ends in `sinks`.
  ///
  /// - Parameters:
  ///   - section: What the recipe asks for.
  ///   - survey: What a first pass has found, where the section needs one.
  ///   - meter: What measures the source, after `from` and `to`.
  ///   - sinks: What is made of the sound.
  init(
    _ section: AudioSection, survey: SoundSurvey?, meter: SoundMeter?, sinks: [any SoundSink]
  ) {
    self.section = section
    self.survey = survey
    self.meter = meter
    self.sinks = sinks
  }

  /// Whether nothing that follows in the track is wanted.
  var isSatisfied: Bool { isComplete }

  /// What a loudness target has come to in LUFS, where holding peaks down has cost some of it; nil where
  /// it was met.
  var limitedLoudness: Double? { stages?.leveller?.limitedLoudness }

  /// Takes the next samples of the track; all are of one format.
  func write(_ frame: Frame) throws {
    if stages == nil, let format = frame.audioFormat { stages = try makeStages(format) }
    let cut = try stages?.cut == nil ? frame : stages?.cut?.take(frame)
    isComplete = stages?.cut?.isComplete ?? false
    guard let cut else { return }
    hasPassed = true
    try meter?.write(cut)
    guard let kept = try stages?.trim == nil ? cut : stages?.trim?.take(cut) else { return }
    try convert(kept)
  }

  /// Passes on what the stages hold back, and completes the files.
  func finish(_ check: ReadBack) throws -> [TrackFile] {
    if let converter = stages?.converter { try converter.convert(nil, show: level) }
    try stages?.leveller?.finish(show: deliver)
    return try sinks.flatMap { try $0.finish(check) }
  }

  private func makeStages(_ source: AudioFormat) throws -> Stages {
    var stages = Stages()
    stages.cut = SoundCut(section, sampleRate: source.sampleRate)
    if section.trimSilence != nil, let sound = survey?.sound { stages.trim = SoundCut(sound) }
    let target = section.format(of: source)
    if target != source { stages.converter = SampleConverter(to: target) }
    if let loudness = section.loudness, let survey {
      stages.leveller = try Leveller(
        to: loudness, truePeak: section.truePeak, of: target, survey: survey)
    }
    return stages
  }

  private func convert(_ frame: Frame) throws {
    guard let converter = stages?.converter else { return try level(frame) }
    try converter.convert(frame, show: level)
  }

  private func level(_ frame: Frame) throws {
    guard let leveller = stages?.leveller else { return try deliver(frame) }
    try leveller.write(frame, show: deliver)
  }

  private func deliver(_ frame: Frame) throws {
    for sink in sinks { try sink.write(frame) }
  }
}

extension AudioSection {
  /// The format that a track's sound is brought to: its own where the section does not say.
  func format(of source: AudioFormat) -> AudioFormat {
    var format = source
    if let rate { format.sampleRate = rate }
    if let channels, channels != source.channels {
      format.channelLayout = AudioFormat.channelLayout(of: channels)
    }
    // Filters and gains work on floats; without any the samples stay as they are.
    if format != source || loudness != nil { format.sampleFormat = .floatPlanar }
    return format
  }
}
