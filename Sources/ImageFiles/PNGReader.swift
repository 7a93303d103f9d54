internal import CDeflate
public import Imaging

/// The samples of a PNG file as they are stored.
public struct PNGPicture: Hashable, Sendable {
  /// The size of the picture.
  public let size: PixelSize
  /// What the samples are.
  public let color: PNGColorType
  /// The samples, row by row without padding, `color.channels` a pixel.
  public let samples: [UInt8]

  /// The picture as RGBA: grey repeated in all channels, alpha 255 where there is none.
  public var image: RGBAImage {
    let channels = color.channels
    let pixels = (0..<size.area).map { index in
      let start = index * channels
      switch color {
      case .gray: return SIMD4(samples[start], samples[start], samples[start], 255)
      case .rgb: return SIMD4(samples[start], samples[start + 1], samples[start + 2], 255)
      case .rgba:
        return SIMD4(
          samples[start], samples[start + 1], samples[start + 2], samples[start + 3])
      }
    }
    return RGBAImage(size: size, pixels: pixels)
  }

  /// The least and the greatest alpha; `nil` where the picture has none.
  public var alphaRange: ClosedRange<UInt8>? {
    guard color == .rgba else { return nil }
    var (least, greatest): (UInt8, UInt8) = (255, 0)
    for index in stride(from: 3, to: samples.count, by: 4) {
      least = min(least, samples[index])
      greatest = max(greatest, samples[index])
    }
    return least...greatest
  }
}

/// Reads PNG files of 8-bit grey, RGB or RGBA without interlace: those that ``PNGEncoder`` writes.
public enum PNGReader {
  /// Reads the bytes of a file.
  ///
  /// - Throws: `malformed` or `corrupt` for a damaged file, `unsupported` for one of another kind.
  public static func read(_ bytes: Span<UInt8>) throws(ImageFileError) -> PNGPicture {
    let chunks = try PNGChunks(bytes)
    guard chunks.bitDepth == 8, !chunks.isInterlaced,
      let color = PNGColorType(rawValue: chunks.colorType)
    else {
      throw ImageFileError(
        .unsupported, "only PNGs of 8-bit grey, RGB or RGBA without interlace are read")
    }
    let rowBytes = chunks.size.width * color.channels
    let filtered = try inflate(chunks, in: bytes, count: (rowBytes + 1) * chunks.size.height)
    let samples = try unfilter(filtered, rowBytes: rowBytes, channels: color.channels)
    return PNGPicture(size: chunks.size, color: color, samples: samples)
  }

  /// Reads a file.
  ///
  /// - Throws: also `unreadable` where the file cannot be opened or read.
  public static func read(path: String) throws(ImageFileError) -> PNGPicture {
    let bytes = try FileBytes.contents(ofFileAt: path)
    do {
      return try read(bytes.span)
    } catch {
      throw ImageFileError(error.code, error.reason, path: path)
    }
  }

  /// Inflates the image data, which must be of exactly `count` bytes.
  private static func inflate(
    _ chunks: PNGChunks, in bytes: Span<UInt8>, count: Int
  ) throws(ImageFileError) -> [UInt8] {
    let length = chunks.data.reduce(0) { $0 + $1.count }
    // Deflate makes at most 1032 bytes of one: a header that promises more is a lie or a bomb.
    guard count / 1032 <= length else {
      throw ImageFileError(.corrupt, "the image data is too short for the picture's size")
    }
    var stream = [UInt8]()
    stream.reserveCapacity(length)
    for range in chunks.data {
      for index in range { stream.append(bytes[index]) }
    }
    guard let inflater = unsafe libdeflate_alloc_decompressor() else {
      throw ImageFileError(.unreadable, "there is no memory to read the file")
    }
    defer { unsafe libdeflate_free_decompressor(inflater) }
    var result = LIBDEFLATE_SUCCESS
    // Safe: the library reads and writes within the given counts; without a place for the length it
    // succeeds only where all of the output was written.
    let output = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, written in
      result = unsafe stream.withUnsafeBytes { input in
        unsafe libdeflate_zlib_decompress(
          inflater, input.baseAddress, input.count, output.baseAddress, count, nil)
      }
      written = result == LIBDEFLATE_SUCCESS ? count : 0
    }
    guard result == LIBDEFLATE_SUCCESS else {
      throw ImageFileError(.corrupt, "the image data cannot be inflated to the picture's size")
    }
    return output
  }

  /// Undoes the rows' filters (PNG Specification §9.2).
  private static func unfilter(
    _ filtered: [UInt8], rowBytes: Int, channels: Int
  ) throws(ImageFileError) -> [UInt8] {
    let rows = filtered.count / (rowBytes + 1)
    var output = [UInt8](repeating: 0, count: rows * rowBytes)
    var samples = output.mutableSpan
    let filtered = filtered.span
    for y in 0..<rows {
      let source = y * (rowBytes + 1)
      guard let filter = PNGRowFilter(rawValue: filtered[source]) else {
        throw ImageFileError(.corrupt, "row \(y) has an unknown filter")
      }
      let row = y * rowBytes
      for i in 0..<rowBytes {
        let left = i < channels ? 0 : samples[row + i - channels]
        let above = y == 0 ? 0 : samples[row - rowBytes + i]
        let corner = i < channels || y == 0 ? 0 : samples[row - rowBytes + i - channels]
        let expected = filter.prediction(left: left, above: above, corner: corner)
        samples[row + i] = filtered[source + 1 + i] &+ expected
      }
    }
    return output
  }
}
