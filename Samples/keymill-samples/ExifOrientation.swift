/// How a JPEG is to be turned for showing, as its Exif block says (Exif 2.32, tag 0x0112).
enum ExifOrientation: UInt8 {
  /// A quarter to the right: the camera was held upright.
  case turnRight = 6

  /// The JPEG file with an Exif block that says this, right after its start marker.
  ///
  /// Where there is none, the block has the least that a reader asks for: one directory of one tag.
  func inserted(into jpeg: [UInt8]) -> [UInt8] {
    let tiff: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8,  // big-endian; the directory begins at byte 8
      0, 1,  // one entry
      0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, rawValue, 0, 0,  // orientation: one 16-bit number
      0, 0, 0, 0,  // no further directory
    ]
    let payload = Array("Exif\0\0".utf8) + tiff
    let length = payload.count + 2
    let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload
    return Array(jpeg.prefix(2)) + segment + jpeg.dropFirst(2)
  }
}
