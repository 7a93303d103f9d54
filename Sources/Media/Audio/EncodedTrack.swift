import FFmpeg
import Recipes

/// A track's sound encoded into a file, with the source's tags and, where the format takes one, its
/// cover.
final class EncodedTrack: SoundSink {
  /// The file's name in the output.
  let name: String

  private let format: AudioSection.Format
  private let encoding: SoundEncoding
  private let bits: Int
  private let rate: AudioSection.Rate
  private let tags: TrackTags
  private let staging: StagingDirectory
  private let warnings: Warnings
  private var writer: Writer?
  /// Of MP3 alone.
  private var ending: MP3Ending?
  private var sampleCount = 0

  private struct Writer {
    let resampler: Resampler
    let encoder: Encoder
    let output: OutputContainer
    let stream: Int
    let packet: Packet
  }

  /// Makes ready to write the file; it is created with the first samples, whose format decides on rate
  /// and channels.
  init(
    _ format: AudioSection.Format, _ encoding: SoundEncoding, bits: Int,
    rate: AudioSection.Rate, name: String, tags: TrackTags, in staging: StagingDirectory,
    warnings: Warnings
  ) {
    self.format = format
    self.encoding = encoding
    self.bits = bits
    self.rate = rate
    self.name = name
    self.tags = tags
    self.staging = staging
    self.warnings = warnings
  }

  func write(_ frame: Frame) throws {
    guard let writer = try writer ?? open(frame.audioFormat) else { return }
    try writer.resampler.send(frame)
    try drain(writer)
  }

  func finish(_ check: ReadBack) throws -> [TrackFile] {
    guard let writer else { return [] }
    try writer.resampler.sendEndOfStream()
    try drain(writer)
    try writer.encoder.sendEndOfStream()
    try move(writer)
    if let last = try ending?.finish(samples: sampleCount) {
      try writer.output.write(last, to: writer.stream)
    }
    try writer.output.finish()
    let format = writer.resampler.format
    return [
      TrackFile(
        record: try check.record(of: staging.file(name), name: name),
        format: self.format.rawValue, codec: encoding.codec, rate: format.sampleRate,
        layout: format.channelLayout, samples: sampleCount)
    ]
  }

  private func open(_ source: AudioFormat?) throws -> Writer? {
    guard let source else { return nil }
    let output = try OutputContainer(
      path: staging.file(name), formatName: encoding.container.muxer,
      metadata: tags.values(for: encoding.container))
    let (encoder, format) = try makeEncoder(for: source, output)
    let stream = try output.addStream(for: encoder, metadata: tags.streamValues)
    if encoding.container.takesPicture { try tags.addPicture(to: output) }
    try output.start(options: encoding.container.muxerOptions(sampleRate: format.sampleRate))
    try output.writePictures()
    let writer = Writer(
      // The first sample is at 0 wherever the source has it.
      resampler: try Resampler(to: format, frameSize: encoder.frameSize, firstPTS: 0),
      encoder: encoder, output: output, stream: stream, packet: try Packet())
    self.writer = writer
    if self.format == .mp3 { ending = encoder.frameSize.map(MP3Ending.init) }
    return writer
  }

  /// Opens the encoder in the first format that it takes.
  private func makeEncoder(
    for source: AudioFormat, _ output: OutputContainer
  ) throws -> (Encoder, AudioFormat) {
    for format in encoding.formats(for: source, bits: bits) {
      do throws(FFmpegError) {
        let encoder = try Encoder(
          encoding.encoder, audio: format, for: output, rate: encoding.rate(rate, for: format),
          bitDepth: format.sampleFormat == .s32 ? bits : nil)
        if let words = ChannelFallback.words(from: source, to: format) {
          warnings.note("\(name): \(words), since \(encoding.codec) takes no other channels")
        }
        return (encoder, format)
      } catch {
        guard error.code == .invalidArgument else { throw error }
        // What it said of these channels is no damage.
        _ = LogCapture.take()
      }
    }
    throw MediaError(
      .input, tags.path, "\(encoding.codec) cannot hold \(StreamSummary.describe(source))")
  }

  private func drain(_ writer: Writer) throws {
    while let frame = try writer.resampler.receive() {
      sampleCount += frame.sampleCount
      try writer.encoder.send(frame)
      try move(writer)
    }
  }

  private func move(_ writer: Writer) throws {
    while case .packet = try writer.encoder.receive(into: writer.packet) {
      let packet = ending == nil ? writer.packet : try ending?.take(writer.packet)
      if let packet { try writer.output.write(packet, to: writer.stream) }
    }
  }
}
