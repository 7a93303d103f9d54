/// Finds the orientation that a picture file asks for, in the formats where the decoder drops it.
///
/// Reads WebP (EXIF chunk), PNG (eXIf chunk), TIFF (first directory) and HEIF or AVIF (the primary
/// item's `irot` and `imir`, which take precedence over any EXIF). Reads only the parts it needs, of
/// bounded size, and takes damaged files for files without an orientation.
public enum EXIFOrientation {
  /// The orientation 1…8 of a file; `nil` where it names none or is of another format.
  ///
  /// - Throws: `unreadable` where the file cannot be opened or read.
  public static func read(path: String) throws(ImageFileError) -> Int? {
    let file = try FileBytes(path: path)
    let head = ByteReader(try file.read(at: 0, count: 16))
    if head.matches(PNGSignature.bytes, at: 0) { return try inPNG(file) }
    if head.text(at: 0, count: 4) == "RIFF", head.text(at: 8, count: 4) == "WEBP" {
      return try inWebP(file)
    }
    if head.text(at: 4, count: 4) == "ftyp" { return try HEIFOrientation.read(file) }
    return TIFFDirectory(try file.read(at: 0, count: largestPart))?.orientation
  }

  /// No EXIF block and no HEIF header that says anything of use is larger.
  static let largestPart = 1 << 20
  /// No sane file has more chunks; a loop over tiny ones ends here.
  private static let mostChunks = 10_000

  private static func inPNG(_ file: borrowing FileBytes) throws(ImageFileError) -> Int? {
    var position = PNGSignature.bytes.count
    for _ in 0..<mostChunks {
      let header = ByteReader(try file.read(at: position, count: 8))
      guard let length = header.bigEndian32(at: 0) else { return nil }
      if header.text(at: 4, count: 4) == "eXIf" {
        return TIFFDirectory(
          try file.read(at: position + 8, count: min(length, largestPart)))?.orientation
      }
      position += length + 12
    }
    return nil
  }

  private static func inWebP(_ file: borrowing FileBytes) throws(ImageFileError) -> Int? {
    var position = 12
    for _ in 0..<mostChunks {
      let header = ByteReader(try file.read(at: position, count: 8))
      guard let length = header.littleEndian32(at: 4) else { return nil }
      if header.text(at: 0, count: 4) == "EXIF" {
        let bytes = try file.read(at: position + 8, count: min(length, largestPart))
        // Some writers put JPEG's prefix before the TIFF header.
        let prefix = Array("Exif".utf8) + [0, 0]
        let hasPrefix = ByteReader(bytes).matches(prefix, at: 0)
        return TIFFDirectory(hasPrefix ? Array(bytes.dropFirst(6)) : bytes)?.orientation
      }
      position += 8 + length + (length & 1)
    }
    return nil
  }
}

/// The first directory of a TIFF structure (TIFF 6.0 §2; Exif 2.32 §4.5).
struct TIFFDirectory {
  /// The value of the tag Orientation where it is 1…8.
  let orientation: Int?

  /// Reads the structure that begins with the byte order; `nil` where it does not.
  init?(_ bytes: [UInt8]) {
    let reader = ByteReader(bytes)
    let isLittle: Bool
    switch reader.text(at: 0, count: 2) {
    case "II": isLittle = true
    case "MM": isLittle = false
    default: return nil
    }
    guard reader.number16(at: 2, isLittle) == 42, let start = reader.number32(at: 4, isLittle),
      let count = reader.number16(at: start, isLittle)
    else { return nil }
    let entry = (0..<count).lazy.map { start + 2 + 12 * $0 }
      .first { reader.number16(at: $0, isLittle) == 0x0112 }
    orientation = entry.flatMap { entry in
      // A SHORT stands at the start of the value field.
      guard reader.number16(at: entry + 2, isLittle) == 3 else { return nil }
      return reader.number16(at: entry + 8, isLittle).flatMap { (1...8).contains($0) ? $0 : nil }
    }
  }
}
