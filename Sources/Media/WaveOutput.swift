import FFmpeg

/// A decoded track as 16-bit PCM in a WAV file, RF64 where it grows beyond 4 GB.
final class WaveOutput {
  /// The file's name in the output.
  let name: String
  /// Samples of each channel written so far.
  private(set) var sampleCount = 0

  private let staging: StagingDirectory
  private var writer: Writer?

  private struct Writer {
    let resampler: Resampler
    let encoder: Encoder
    let output: OutputContainer
    let packet: Packet
  }

  init(name: String, in staging: StagingDirectory) {
    self.name = name
    self.staging = staging
  }

  /// Writes decoded samples.
  ///
  /// The first ones decide on rate and channels; others are converted.
  func write(_ frame: Frame) throws {
    guard let format = frame.audioFormat else { return }
    let writer = try writer ?? open(format)
    try writer.resampler.send(frame)
    try drain(writer)
  }

  /// Completes the file.
  func finish() throws {
    guard let writer else { return }
    try writer.resampler.sendEndOfStream()
    try drain(writer)
    try writer.encoder.sendEndOfStream()
    try move(writer)
    try writer.output.finish()
  }

  private func open(_ source: AudioFormat) throws -> Writer {
    var format = source
    format.sampleFormat = .s16
    let output = try OutputContainer(path: staging.file(name), formatName: "wav")
    let encoder = try Encoder("pcm_s16le", audio: format, for: output)
    try output.addStream(for: encoder)
    try output.start(options: ["rf64": "auto"])
    let writer = Writer(
      resampler: try Resampler(to: format), encoder: encoder, output: output,
      packet: try Packet())
    self.writer = writer
    return writer
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
      try writer.output.write(writer.packet, to: 0)
    }
  }
}
