internal import CFFmpeg

/// The layout of a picture in memory, as FFmpeg names it (`yuv420p`, `rgba`, …).
public struct PixelFormat: Hashable, Sendable {
  let code: AVPixelFormat

  init(_ code: AVPixelFormat) {
    self.code = code
  }

  /// Looks a format up by FFmpeg's name, as `ffmpeg -pix_fmts` lists them.
  public init?(named name: String) {
    let code = unsafe av_get_pix_fmt(name)
    guard code != AV_PIX_FMT_NONE else { return nil }
    self.code = code
  }

  /// Interleaved red, green, blue, straight alpha; 8 bits each.
  public static let rgba = PixelFormat(AV_PIX_FMT_RGBA)
  /// Interleaved red, green, blue; 8 bits each.
  public static let rgb24 = PixelFormat(AV_PIX_FMT_RGB24)
  /// One plane of 8-bit grey.
  public static let gray8 = PixelFormat(AV_PIX_FMT_GRAY8)
  /// Luma, and chroma halved both ways; 8 bits.
  public static let yuv420p = PixelFormat(AV_PIX_FMT_YUV420P)
  /// ``yuv420p`` with a full-size alpha plane.
  public static let yuva420p = PixelFormat(AV_PIX_FMT_YUVA420P)
  /// Luma and chroma at full size; 8 bits.
  public static let yuv444p = PixelFormat(AV_PIX_FMT_YUV444P)

  /// FFmpeg's name; `unknown` where there is no format.
  public var name: String {
    guard let name = unsafe av_get_pix_fmt_name(code) else { return "unknown" }
    return unsafe String(cString: name)
  }

  /// Whether this is 8-bit planar YUV with chroma halved both ways (`yuv420p`, `yuvj420p`).
  public var isYUV420P8: Bool {
    code == AV_PIX_FMT_YUV420P || code == AV_PIX_FMT_YUVJ420P
  }

  /// Whether this is YUV with chroma halved across, and down as well or not, of any depth and order,
  /// without alpha.
  public var hasHalvedChroma: Bool {
    !isRGB && !hasAlpha && componentCount == 3 && chromaShiftX == 1 && chromaShiftY <= 1
  }

  /// Whether the components are R'G'B' (palettes included).
  public var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB) || has(AV_PIX_FMT_FLAG_PAL) }

  /// Whether there is a luma component only, with or without alpha.
  public var isGray: Bool { !isRGB && componentCount > 0 && componentCount < 3 }

  /// Whether there is room for alpha; a frame's own ``Frame/hasAlpha`` knows more.
  public var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) }

  /// Bits of the first component; 0 where there is no format.
  public var bitDepth: Int {
    unsafe withDescriptor(or: 0) { unsafe Int($0.pointee.comp.0.depth) }
  }

  /// Chroma planes are narrower than luma by `1 << chromaShiftX`.
  public var chromaShiftX: Int {
    unsafe withDescriptor(or: 0) { unsafe Int($0.pointee.log2_chroma_w) }
  }

  /// Chroma planes are lower than luma by `1 << chromaShiftY`.
  public var chromaShiftY: Int {
    unsafe withDescriptor(or: 0) { unsafe Int($0.pointee.log2_chroma_h) }
  }

  /// Components per pixel, alpha counted.
  public var componentCount: Int {
    unsafe withDescriptor(or: 0) { unsafe Int($0.pointee.nb_components) }
  }

  /// Separate planes in memory.
  public var planeCount: Int { max(0, Int(av_pix_fmt_count_planes(code))) }

  /// Whether values use their whole range whatever the file says (RGB, `yuvj…`, bitmaps).
  var isAlwaysFullRange: Bool {
    switch code {
    case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P,
      AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_MONOBLACK, AV_PIX_FMT_MONOWHITE:
      true
    default:
      isRGB
    }
  }

  private func has(_ flag: Int32) -> Bool {
    unsafe withDescriptor(or: false) { unsafe $0.pointee.flags & UInt64(flag) != 0 }
  }

  private func withDescriptor<R>(
    or missing: R, _ body: (UnsafePointer<AVPixFmtDescriptor>) -> R
  ) -> R {
    // Descriptors are constants of the library.
    guard let descriptor = unsafe av_pix_fmt_desc_get(code) else { return missing }
    return unsafe body(descriptor)
  }
}

extension PixelFormat: CustomStringConvertible {
  /// FFmpeg's name.
  public var description: String { name }
}
