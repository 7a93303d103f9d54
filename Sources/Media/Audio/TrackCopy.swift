import FFmpeg
import Platform

/// A track as it is, in its natural container.
///
/// A file that is nothing but this track in that container is taken byte for byte, tags and cover
/// with it. Out of any other the packets are moved, unchanged, into a container of their own, which is
/// told where the sound begins and ends.
final class TrackCopy {
  private let stream: FFmpeg.Stream
  private let container: InputContainer
  private let natural: AudioContainer
  private let staging: StagingDirectory
  /// The file's name in the output.
  let name: String
  private let isWholeFile: Bool
  private var sound: CopiedSound?
  private var output: OutputContainer?
  /// Why there is no copy, in the words of an error; nil where nothing was in its way.
  private(set) var refusal: String?

  init(
    _ stream: FFmpeg.Stream, of container: InputContainer, stem: String,
    into staging: StagingDirectory
  ) throws {
    self.stream = stream
    self.container = container
    self.staging = staging
    natural = AudioContainer(codec: stream.codecName)
    name = "audio/\(stem).\(natural.fileExtension)"
    let others = container.streams.filter {
      $0.index != stream.index && !$0.isAttachedPicture
    }
    // With megabytes of something else in front no player would find the track.
    isWholeFile =
      others.isEmpty && natural.isNative(formatName: container.formatName)
      && container.beginning == nil
    sound = isWholeFile ? nil : try CopiedSound(stream, of: container)
  }

  /// Takes the next packet, which is left empty.
  func write(_ packet: Packet) throws {
    guard !isWholeFile, refusal == nil else { return }
    for packet in try sound?.take(packet) ?? [packet] { try move(packet) }
  }

  /// Completes the file and gives it; none where there was no packet.
  func finish(_ check: ReadBack) throws -> [TrackFile] {
    if isWholeFile {
      // Never a hard link: the input stays the user's own to change.
      try Files.copy(container.path, to: staging.file(name))
    } else {
      for packet in try sound?.finish() ?? [] { try move(packet) }
      guard let output, refusal == nil else { return [] }
      try output.finish()
      if let sound, !sound.isExact { try LAMETag.forgetGap(inFileAt: staging.file(name)) }
    }
    return [
      TrackFile(
        record: try check.record(of: staging.file(name), name: name), format: "copy",
        codec: stream.codecName, rate: stream.audio?.sampleRate,
        layout: stream.audio?.channelLayout)
    ]
  }

  private func move(_ packet: Packet) throws {
    guard refusal == nil else { return }
    do {
      let output = try output ?? open()
      try output.write(packet, to: 0)
    } catch let error as FFmpegError
      where error.code == .invalidArgument || error.code == .invalidData
    {
      try refuse()
    }
  }

  /// Gives up where the file format does not take the codec, which it says only when it is begun, or with
  /// a packet: TTA's wants frames of a length to the sample, of which Matroska knows only milliseconds.
  private func refuse() throws {
    refusal =
      "\(stream.codecName) cannot be put into a file of its own; take \"wav\" or \"flac\" instead of "
      + "\"copy\""
    // What the muxer said of it is no damage.
    _ = LogCapture.take()
    output = nil
    try Files.removeFile(staging.file(name))
  }

  private func open() throws -> OutputContainer {
    let tags = TrackTags(of: stream, in: container)
    let output = try OutputContainer(
      path: staging.file(name), formatName: natural.muxer, metadata: tags.values(for: natural))
    try output.addStream(
      copying: stream, of: container, metadata: tags.streamValues, timeBase: sound?.timeBase,
      initialPadding: sound?.initialPadding)
    if natural.takesPicture { try tags.addPicture(to: output) }
    try output.start(options: natural.muxerOptions(sampleRate: stream.audio?.sampleRate))
    try output.writePictures()
    self.output = output
    return output
  }
}
