import FFmpeg
import Platform

/// A track as it is, in its natural container.
///
/// A file that is nothing but this track in that container is taken byte for byte, tags and cover
/// with it. Out of any other the packets are moved, unchanged, into a container of their own.
final class TrackCopy {
  private let stream: FFmpeg.Stream
  private let container: InputContainer
  private let natural: AudioContainer
  private let staging: StagingDirectory
  /// The file's name in the output.
  let name: String
  private let isWholeFile: Bool
  private var output: OutputContainer?

  init(
    _ stream: FFmpeg.Stream, of container: InputContainer, stem: String,
    into staging: StagingDirectory
  ) {
    self.stream = stream
    self.container = container
    self.staging = staging
    natural = AudioContainer(codec: stream.codecName)
    name = "audio/\(stem).\(natural.fileExtension)"
    let others = container.streams.filter {
      $0.index != stream.index && !$0.isAttachedPicture
    }
    isWholeFile = others.isEmpty && natural.isNative(formatName: container.formatName)
  }

  /// Takes the next packet, which is left empty.
  func write(_ packet: Packet) throws {
    guard !isWholeFile else { return }
    let output = try output ?? open()
    try output.write(packet, to: 0)
  }

  /// Completes the file and gives its name in the output; nil where there was no packet.
  func finish() throws -> String? {
    if isWholeFile {
      try copyFile(container.path, to: staging.file(name))
      return name
    }
    guard let output else { return nil }
    try output.finish()
    return name
  }

  private func open() throws -> OutputContainer {
    let output = try OutputContainer(
      path: staging.file(name), formatName: natural.muxer, metadata: container.metadata)
    try output.addStream(copying: stream, of: container)
    try output.start()
    self.output = output
    return output
  }

  /// A copy, never a link: the input stays the user's own to change.
  private func copyFile(_ source: String, to target: String) throws(PlatformError) {
    let input = try FileDescriptor.open(source, .read)
    let output = try FileDescriptor.open(target, .create)
    while case .bytes(let bytes) = try input.read(upTo: 1 << 20) { try output.writeAll(bytes) }
    try output.close()
  }
}
