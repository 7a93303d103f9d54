/// What the header of a picture file says, read before any decoder sees the file.
///
/// FFmpeg tells the size of a picture only once it decodes it, and refuses a very large one as
/// merely invalid; of most formats it drops the orientation. Known are PNG, JPEG, GIF, BMP, WebP, TIFF and the ISO family (AVIF, HEIF); of
/// others, and of damaged ones, nothing is said here, and the decoder has the word.
struct PictureHeader {
  /// Bytes from the start of a file to look at: JPEG may have a thumbnail and a colour profile
  /// before its header, and WebP has the orientation after the picture.
  static let length = 16 << 20

  let bytes: [UInt8]

  /// Takes the first bytes of a file.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the first bytes of a file.
  init(ofFileAt path: String, byteSize: Int64) throws(FFmpegError) {
    bytes = try FileIO.head(of: path, count: Int(min(byteSize, Int64(Self.length))))
  }

  /// Declared columns and rows.
  var size: (width: Int, height: Int)? {
    if has([0x89, 0x50, 0x4e, 0x47], at: 0) { return pair(at: 16, bytes: 4, .big) }
    if has([0xff, 0xd8, 0xff], at: 0) { return jpegSize }
    if has("GIF8", at: 0) { return pair(at: 6, bytes: 2, .little) }
    if has("BM", at: 0) { return bmpSize }
    if has("RIFF", at: 0), has("WEBP", at: 8) { return webpSize }
    if has("II*\0", at: 0) { return tiffSize(.little) }
    if has("MM\0*", at: 0) { return tiffSize(.big) }
    if has("ftyp", at: 4) { return isoSize }
    return nil
  }
}

// MARK: Formats

extension PictureHeader {
  /// The first frame header (ITU-T T.81, B.2.2), found from segment to segment.
  private var jpegSize: (width: Int, height: Int)? {
    var offset = 2
    while let mark = number(at: offset, bytes: 1, .big),
      let marker = number(at: offset + 1, bytes: 1, .big), mark == 0xff
    {
      // SOF0…SOF15 without DHT, JPG and DAC.
      if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
        guard let size = pair(at: offset + 5, bytes: 2, .big) else { return nil }
        return (width: size.height, height: size.width)
      }
      // Fill bytes and marks that stand alone have no length.
      if marker == 0xff {
        offset += 1
      } else if marker == 0x01 || (0xd0...0xd8).contains(marker) {
        offset += 2
      } else {
        guard let length = number(at: offset + 2, bytes: 2, .big), length >= 2 else { return nil }
        offset += 2 + length
      }
    }
    return nil
  }

  /// Windows headers have 32-bit sizes, with a negative height for top-down; OS/2's 16-bit ones.
  private var bmpSize: (width: Int, height: Int)? {
    guard let headerSize = number(at: 14, bytes: 4, .little) else { return nil }
    guard headerSize > 12 else { return pair(at: 18, bytes: 2, .little) }
    guard let size = pair(at: 18, bytes: 4, .little) else { return nil }
    let height = Int(Int32(truncatingIfNeeded: size.height))
    return (size.width, abs(height))
  }

  /// The three kinds of WebP (RFC 9649): a canvas, a lossy or a lossless frame.
  private var webpSize: (width: Int, height: Int)? {
    if has("VP8X", at: 12) {
      return pair(at: 24, bytes: 3, .little).map { ($0.width + 1, $0.height + 1) }
    }
    if has("VP8 ", at: 12) {
      return pair(at: 26, bytes: 2, .little).map { ($0.width & 0x3fff, $0.height & 0x3fff) }
    }
    guard has("VP8L", at: 12), let bits = number(at: 21, bytes: 4, .little) else { return nil }
    return ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
  }

  /// Tags 256 and 257 of the first directory (TIFF 6.0), where it stands among the first bytes.
  private func tiffSize(_ order: ByteOrder) -> (width: Int, height: Int)? {
    let values = directory(at: 0, order)
    guard let width = values[256], let height = values[257] else { return nil }
    return (width, height)
  }

  /// The numbers in the first directory of a TIFF file that starts at `base`, by their tags.
  func directory(at base: Int, _ order: ByteOrder) -> [Int: Int] {
    guard let start = number(at: base + 4, bytes: 4, order),
      let count = number(at: base + start, bytes: 2, order)
    else { return [:] }
    var values: [Int: Int] = [:]
    for index in 0..<count {
      let entry = base + start + 2 + index * 12
      guard let tag = number(at: entry, bytes: 2, order),
        let type = number(at: entry + 2, bytes: 2, order),
        // SHORT or LONG.
        let value = number(at: entry + 8, bytes: type == 3 ? 2 : 4, order)
      else { break }
      values[tag] = value
    }
    return values
  }

  /// The largest `ispe` property (ISO/IEC 23008-12): parts and thumbnails have smaller ones.
  private var isoSize: (width: Int, height: Int)? {
    // A property of 20 bytes: size, name, version and flags, width, height.
    let mark: [UInt8] = [0, 0, 0, 20] + Array("ispe".utf8)
    var largest: (width: Int, height: Int)?
    for offset in bytes.indices where bytes[offset] == 0 && has(mark, at: offset) {
      guard let size = pair(at: offset + 12, bytes: 4, .big) else { continue }
      if size.width * size.height > (largest.map { $0.width * $0.height } ?? 0) { largest = size }
    }
    return largest
  }
}

// MARK: Bytes

extension PictureHeader {
  enum ByteOrder {
    case big
    case little
  }

  func has(_ text: String, at offset: Int) -> Bool {
    has(Array(text.utf8), at: offset)
  }

  func has(_ expected: [UInt8], at offset: Int) -> Bool {
    guard offset + expected.count <= bytes.count else { return false }
    return bytes[offset..<(offset + expected.count)].elementsEqual(expected)
  }

  /// An unsigned number, or nil beyond the bytes.
  func number(at offset: Int, bytes count: Int, _ order: ByteOrder) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    let digits = bytes[offset..<(offset + count)]
    let value = { (value: Int, digit: UInt8) in value << 8 | Int(digit) }
    return order == .big ? digits.reduce(0, value) : digits.reversed().reduce(0, value)
  }

  /// Two numbers in a row.
  private func pair(
    at offset: Int, bytes count: Int, _ order: ByteOrder
  ) -> (width: Int, height: Int)? {
    guard let first = number(at: offset, bytes: count, order),
      let second = number(at: offset + count, bytes: count, order)
    else { return nil }
    return (first, second)
  }
}
