import Commands
import ImageFiles
import Imaging
import Platform

/// A picture file that a command writes, in the format of its name's extension.
struct PictureOutput {
  private enum Format { case jpeg, png }

  private let path: String
  private let format: Format

  /// A file to be written.
  ///
  /// - Throws: `UsageError` where the name does not end in `.jpg`, `.jpeg` or `.png`.
  init(_ path: String) throws {
    self.path = path
    switch path.split(separator: ".").last?.lowercased() {
    case "jpg", "jpeg": format = .jpeg
    case "png": format = .png
    default: throw UsageError("'\(path)' must end in .jpg or .png")
    }
  }

  /// Writes a picture, in the place of whatever has the name.
  func write(_ image: RGBAImage, quality: Int = 88) throws {
    switch format {
    case .jpeg:
      var encoder = try JPEGEncoder()
      try AtomicFile.write(encoder.encode(image, quality: quality), to: path)
    case .png:
      var encoder = try PNGEncoder()
      encoder.begin(size: image.size, color: image.isOpaque ? .rgb : .rgba, isSRGB: true)
      try encoder.write(rows: image.pixels.span)
      _ = try encoder.finish()
      // Bytes have no padding.
      try unsafe AtomicFile.write(encoder.bytes.bytes, to: path)
    }
  }
}
