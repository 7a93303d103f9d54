import FFmpeg

/// The tags of a source that the files made of its track keep.
struct TrackTags {
  /// Title, artist and the like.
  private let values: [String: String]
  /// What is told of the track itself: its language and title.
  let streamValues: [String: String]
  private let container: InputContainer
  private let picture: FFmpeg.Stream?

  /// The tags of a file and of one of its tracks.
  ///
  /// With `isLevelled` those that speak of the source's loudness are left out, since they would be
  /// wrong.
  init(of stream: FFmpeg.Stream, in container: InputContainer, isLevelled: Bool = false) {
    self.container = container
    picture = container.coverPicture
    // Ogg keeps the tags of a file with its only track.
    let all = container.metadata.merging(
      container.streams.count == 1 ? stream.metadata : [:]
    ) { file, _ in file }
    values = all.filter { name, _ in
      let name = name.lowercased()
      return !Self.ofTheFile.contains(name) && !(isLevelled && name.hasPrefix("replaygain_"))
    }
    streamValues = stream.metadata.filter { ["language", "title"].contains($0.key.lowercased()) }
  }

  /// The file that they are of.
  var path: String { container.path }

  /// What tells of the source's container and encoder, not of the music.
  private static let ofTheFile: Set = [
    "major_brand", "minor_version", "compatible_brands", "encoder", "creation_time",
    "itunsmpb", "itunnorm", "itunpgap", "handler_name", "vendor_id", "duration", "tlen",
    "metadata_block_picture", "language",
  ]

  /// The tags for a file of this kind, with the cover among them where it goes there.
  func values(for container: AudioContainer) -> [String: String] {
    guard container.takesPictureTag, let picture,
      let bytes = self.container.attachedPicture(of: picture), !bytes.isEmpty
    else { return values }
    var values = values
    values["METADATA_BLOCK_PICTURE"] = PictureBlock(picture, bytes).base64
    return values
  }

  /// Adds the cover to a file that is being made; nothing where there is none.
  func addPicture(to output: OutputContainer) throws {
    guard let picture else { return }
    try output.addPicture(copying: picture, of: container)
  }
}

extension InputContainer {
  /// The cover picture among the tags: the first.
  var coverPicture: FFmpeg.Stream? { streams.first { $0.isAttachedPicture } }
}
