import FFmpeg
import FoundationEssentials

/// A front cover as the tags of Ogg files carry it: FLAC's picture block (RFC 9639, section 8.8) in
/// Base64, under the name `METADATA_BLOCK_PICTURE` (RFC 7845, section 5.2).
struct PictureBlock {
  private let bytes: [UInt8]

  /// The block of a picture of a file's tags, whose bytes are `data`.
  init(_ picture: FFmpeg.Stream, _ data: [UInt8]) {
    let frontCover = 3
    let type = Self.mediaType(of: picture.codecName)
    let size = picture.video.map { [$0.width, $0.height] } ?? [0, 0]
    bytes =
      Self.number(frontCover) + Self.number(type.utf8.count) + Array(type.utf8)
      // No description; neither depth nor palette, which readers take from the picture itself.
      + Self.number(0) + size.flatMap(Self.number) + Self.number(0) + Self.number(0)
      + Self.number(data.count) + data
  }

  /// The block as the value of a tag.
  var base64: String { Data(bytes).base64EncodedString() }

  /// 32 bits, the most significant first.
  private static func number(_ value: Int) -> [UInt8] {
    let bits = UInt32(clamping: value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
  }

  private static func mediaType(of codec: String) -> String {
    switch codec {
    case "mjpeg": "image/jpeg"
    case "png", "gif", "bmp", "webp", "tiff": "image/\(codec)"
    default: "image/"
    }
  }
}
