/// What a file may ask memory for; looked at before anything of that size is allocated.
public struct DecodeLimits: Hashable, Sendable {
  /// The largest picture, in pixels (width × height).
  public var maxPixels: Int
  /// The largest decoded frame, in bytes of its own pixel format.
  public var maxFrameBytes: Int

  /// Creates limits.
  public init(maxPixels: Int, maxFrameBytes: Int) {
    self.maxPixels = maxPixels
    self.maxFrameBytes = maxFrameBytes
  }

  /// 200 megapixels (the largest sensors of cameras and phones), 512 MiB.
  public static let standard = DecodeLimits(maxPixels: 200_000_000, maxFrameBytes: 512 << 20)

  /// The error for a picture of a declared size that these limits forbid, or nil.
  func refusal(width: Int, height: Int, call: StaticString, subject: String) -> FFmpegError? {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard overflow || pixels > maxPixels else { return nil }
    return Self.error(width: width, height: height, call: call, subject: subject)
  }

  static func error(
    width: Int, height: Int, call: StaticString, subject: String
  ) -> FFmpegError {
    FFmpegError(
      code: .overLimit, call: String(describing: call), subject: subject,
      detail: "Declared size \(width)x\(height) is over the limit")
  }
}
