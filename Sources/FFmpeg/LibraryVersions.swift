internal import CFFmpeg

/// The versions of the FFmpeg libraries that the program runs with.
public enum LibraryVersions {
  /// FFmpeg's own version, such as `5.1.6-0+deb12u1`.
  public static var ffmpeg: String { unsafe String(cString: av_version_info()) }

  /// Name and version (`59.27.100`) of each library used.
  public static var all: [(name: String, version: String)] {
    [
      ("libavformat", text(avformat_version())),
      ("libavcodec", text(avcodec_version())),
      ("libavutil", text(avutil_version())),
      ("libswscale", text(swscale_version())),
      ("libswresample", text(swresample_version())),
    ]
  }

  // Packed as major, minor, micro in 16, 8 and 8 bits.
  private static func text(_ version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
  }
}
