internal import CISAL
internal import Imaging

/// The growing bytes of a PNG file: the chunks before the image data, the data, the end.
///
/// The image data is one IDAT chunk, whose length and checksum are filled in at the end.
struct PNGOutput {
  /// Storage; the first ``count`` bytes are the file so far.
  var bytes: [UInt8] = []
  /// The bytes in use.
  var count = 0
  private var dataStart = 0

  /// Writes everything before the image data.
  mutating func begin(
    size: PixelSize, color: PNGColorType, isSRGB: Bool, text: [(keyword: String, text: String)]
  ) {
    count = 0
    append(PNGSignature.bytes)
    append(chunk: "IHDR") {
      $0.append(bigEndian(UInt32(size.width)))
      $0.append(bigEndian(UInt32(size.height)))
      // 8 bits, then deflate, the five adaptive filters, no interlace.
      $0.append([8, color.rawValue, 0, 0, 0])
    }
    if isSRGB { append(chunk: "sRGB") { $0.append([0]) } }
    for (keyword, text) in text {
      append(chunk: "tEXt") {
        $0.append(latin1(keyword).prefix(79))
        $0.append([0])
        $0.append(latin1(text))
      }
    }
    dataStart = count
    append(bigEndian(0))
    append(Array("IDAT".utf8))
  }

  /// Ends the image data and the file.
  mutating func finish() {
    close(chunkAt: dataStart)
    append(chunk: "IEND") { _ in }
  }

  /// Makes room for `extra` bytes after those in use.
  mutating func reserve(_ extra: Int) {
    let missing = count + extra - bytes.count
    guard missing > 0 else { return }
    // At least a half more, so that a large picture grows the storage a few times only.
    bytes.append(contentsOf: repeatElement(0, count: max(missing, bytes.count / 2)))
  }

  private mutating func append(chunk type: String, _ content: (inout PNGOutput) -> Void) {
    let start = count
    append(bigEndian(0))
    append(Array(type.utf8))
    content(&self)
    close(chunkAt: start)
  }

  /// Fills in the length of the chunk that goes on to the end, and appends its checksum.
  private mutating func close(chunkAt start: Int) {
    let length = bigEndian(UInt32(count - start - 8))
    for i in 0..<4 { bytes[start + i] = length[i] }
    let checksum = crc(bytes.span.extracting(start + 4..<count))
    append(bigEndian(checksum))
  }

  private mutating func append(_ part: some Collection<UInt8>) {
    reserve(part.count)
    for byte in part {
      bytes[count] = byte
      count += 1
    }
  }
}

/// The eight bytes every PNG file begins with.
enum PNGSignature {
  static let bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
}

/// The checksum of a PNG chunk, over its type and content.
///
/// Wraps `crc32_gzip_refl`.
func crc(_ bytes: Span<UInt8>) -> UInt32 {
  // Safe: the function reads `count` bytes and keeps nothing.
  unsafe bytes.withUnsafeBufferPointer {
    unsafe crc32_gzip_refl(0, $0.baseAddress, UInt64($0.count))
  }
}

private func bigEndian(_ value: UInt32) -> [UInt8] {
  [UInt8(value >> 24), UInt8(value >> 16 & 0xff), UInt8(value >> 8 & 0xff), UInt8(value & 0xff)]
}

/// A text in Latin-1; what that lacks becomes a question mark.
private func latin1(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
}
