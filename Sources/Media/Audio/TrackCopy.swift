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
    guard !isWholeFile else { return }
    for packet in try sound?.take(packet) ?? [packet] { try move(packet) }
  }

  /// Completes the file and gives it; none where there was no packet.
  func finish(_ check: ReadBack) throws -> [TrackFile] {
    if isWholeFile {
      // Never a hard link: the input stays the user's own to change.
      try Files.copy(container.path, to: staging.file(name))
    } else {
      for packet in try sound?.finish() ?? [] { try move(packet) }
      guard let output else { return [] }
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
    let output = try output ?? open()
    try output.write(packet, to: 0)
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
