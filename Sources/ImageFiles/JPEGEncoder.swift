internal import CJPEG
public import Imaging

/// How many chroma samples a JPEG has.
public enum JPEGSubsampling: Hashable, Sendable {
  /// Half as many across and down (4:2:0): smaller.
  case half
  /// As many as luma samples (4:4:4): sharp coloured edges.
  case none
}

/// Encodes pictures as baseline JPEG, one after the other.
///
/// Holds the library's handle and scratch space; belongs to one thread at a time. Written upright:
/// no EXIF, so no orientation. Wraps `tjCompress2`.
@safe
public struct JPEGEncoder: ~Copyable {
  private let handle: tjhandle
  /// The picture over white, three bytes a pixel.
  private var flattened: [UInt8] = []

  /// Makes an encoder.
  ///
  /// - Throws: `encoderFailed` where there is no memory.
  public init() throws(ImageFileError) {
    guard let handle = unsafe tjInitCompress() else {
      throw ImageFileError(.encoderFailed, "libjpeg-turbo has no memory for a compressor")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe tjDestroy(handle) }

  /// Encodes a picture at a quality of 1…100, as in libjpeg.
  ///
  /// JPEG has no alpha: transparent pixels are put over white, on gamma-encoded values, as browsers
  /// show them.
  /// - Returns: The bytes of the file.
  /// - Throws: `encoderFailed` with the library's words, `unsupported` for more than 65,500 pixels a
  ///   side.
  public mutating func encode(
    _ image: RGBAImage, quality: Int = 90, subsampling: JPEGSubsampling = .half
  ) throws(ImageFileError) -> [UInt8] {
    let limit = 65_500
    guard image.width <= limit, image.height <= limit else {
      throw ImageFileError(.unsupported, "a JPEG has at most \(limit) pixels a side")
    }
    flatten(image)
    let sampling = subsampling == .half ? TJSAMP_420 : TJSAMP_444
    var length = tjBufSize(Int32(image.width), Int32(image.height), Int32(sampling.rawValue))
    let size = image.size
    var status: Int32 = 0
    // Safe: `flattened` has the rows that are described, and `tjBufSize` bounds what is written, so
    // that with NOREALLOC the pointer stays ours.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      var start = buffer.baseAddress
      status = unsafe flattened.withUnsafeBufferPointer { pixels in
        unsafe tjCompress2(
          handle, pixels.baseAddress, Int32(size.width), 0, Int32(size.height),
          Int32(TJPF_RGB.rawValue), &start, &length, Int32(sampling.rawValue),
          Int32(min(max(quality, 1), 100)), TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
      }
      count = status == 0 ? Int(length) : 0
    }
    guard status == 0 else {
      throw ImageFileError(.encoderFailed, unsafe String(cString: tjGetErrorStr2(handle)))
    }
    return bytes
  }

  /// Puts the picture over white.
  private mutating func flatten(_ image: RGBAImage) {
    if flattened.count != image.size.area * 3 {
      flattened = [UInt8](repeating: 0, count: image.size.area * 3)
    }
    var samples = flattened.mutableSpan
    let pixels = image.pixels.span
    for i in pixels.indices {
      let pixel = pixels[i]
      let white = UInt32(255 &- pixel.w) &* 255
      samples[3 * i] = over(white, pixel.x, pixel.w)
      samples[3 * i + 1] = over(white, pixel.y, pixel.w)
      samples[3 * i + 2] = over(white, pixel.z, pixel.w)
    }
  }
}

/// A channel over white, of which `white` 255ths are seen.
private func over(_ white: UInt32, _ channel: UInt8, _ alpha: UInt8) -> UInt8 {
  UInt8(truncatingIfNeeded: (UInt32(channel) &* UInt32(alpha) &+ white &+ 127) / 255)
}
