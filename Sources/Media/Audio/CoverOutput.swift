import FFmpeg

/// The cover picture out of a file's tags, bit for bit.
final class CoverOutput {
  private let picture: FFmpeg.Stream
  private let bytes: [UInt8]
  private let name: String
  private let staging: StagingDirectory

  /// Takes the cover of a file; nil where it has none.
  init?(of container: InputContainer, stem: String, into staging: StagingDirectory) {
    guard let picture = container.coverPicture,
      let bytes = container.attachedPicture(of: picture), !bytes.isEmpty
    else { return nil }
    self.picture = picture
    self.bytes = bytes
    self.staging = staging
    name = "audio/\(stem)-cover.\(Self.fileExtension(of: picture.codecName))"
  }

  /// Writes the file and gives it.
  func finish(_ check: ReadBack) throws -> [TrackFile] {
    let bytes = bytes
    let record = try staging.write(name, bytes.span, check: check)
    return [TrackFile(record: record, format: "cover", codec: picture.codecName)]
  }

  private static func fileExtension(of codec: String) -> String {
    switch codec {
    case "mjpeg": "jpg"
    case "png", "gif", "bmp", "webp", "tiff": codec
    default: "bin"
    }
  }
}
