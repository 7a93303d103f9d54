internal import Imaging

/// The structure of a PNG file: its header, and where its image data lies.
struct PNGChunks {
  let size: PixelSize
  let bitDepth: UInt8
  /// The colour type of the header; 0, 2 and 6 are those of ``PNGColorType``.
  let colorType: UInt8
  let isInterlaced: Bool
  /// The places of the IDAT chunks' contents in the file.
  let data: [Range<Int>]

  /// Walks the whole file and checks each chunk's length, order and checksum.
  ///
  /// - Throws: `malformed` for a wrong structure, `corrupt` for a wrong checksum.
  init(_ bytes: Span<UInt8>) throws(ImageFileError) {
    var walk = try Walk(bytes)
    guard let first = try walk.next(), first.type == Self.header, first.content.count == 13
    else { throw ImageFileError(.malformed, "a PNG begins with an IHDR chunk of 13 bytes") }
    let start = first.content.lowerBound
    let (width, height) = (walk.number(at: start), walk.number(at: start + 4))
    guard width > 0, height > 0, width <= Int(Int32.max), height <= Int(Int32.max) else {
      throw ImageFileError(.malformed, "a PNG has sides from 1 to 2147483647")
    }
    size = PixelSize(width: width, height: height)
    bitDepth = bytes[start + 8]
    colorType = bytes[start + 9]
    isInterlaced = bytes[start + 12] != 0
    data = try Self.imageData(&walk)
  }

  /// Walks to the end of the file and collects its IDAT chunks.
  private static func imageData(_ walk: inout Walk) throws(ImageFileError) -> [Range<Int>] {
    var data: [Range<Int>] = []
    var isOver = false
    while let chunk = try walk.next() {
      switch chunk.type {
      case Self.imageData where isOver:
        throw ImageFileError(.malformed, "a PNG's IDAT chunks follow each other")
      case Self.imageData: data.append(chunk.content)
      case Self.end:
        guard !data.isEmpty else { throw ImageFileError(.malformed, "a PNG has an IDAT chunk") }
        guard walk.isAtEnd else { throw ImageFileError(.malformed, "bytes follow the IEND chunk") }
        return data
      default: isOver = !data.isEmpty
      }
    }
    throw ImageFileError(.malformed, "the file ends before its IEND chunk")
  }

  private static let header: UInt32 = 0x4948_4452
  private static let imageData: UInt32 = 0x4944_4154
  private static let end: UInt32 = 0x4945_4e44

  /// Goes through the chunks of a file.
  private struct Walk: ~Escapable {
    private let bytes: Span<UInt8>
    private var position: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) throws(ImageFileError) {
      let signature = PNGSignature.bytes
      guard bytes.count >= signature.count,
        signature.indices.allSatisfy({ bytes[$0] == signature[$0] })
      else { throw ImageFileError(.malformed, "the file is no PNG") }
      self.bytes = bytes
      position = signature.count
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The 32-bit number at a place in the file.
    func number(at index: Int) -> Int {
      (0..<4).reduce(0) { $0 << 8 | Int(bytes[index + $1]) }
    }

    /// The next chunk's type and the place of its content; `nil` at the end of the file.
    mutating func next() throws(ImageFileError) -> (type: UInt32, content: Range<Int>)? {
      guard position < bytes.count else { return nil }
      guard bytes.count - position >= 12 else {
        throw ImageFileError(.malformed, "the file ends inside a chunk")
      }
      let length = number(at: position)
      guard length <= bytes.count - position - 12 else {
        throw ImageFileError(.malformed, "a chunk is longer than the file")
      }
      let content = position + 8..<position + 8 + length
      let sum = crc(bytes.extracting(position + 4..<content.upperBound))
      guard number(at: content.upperBound) == Int(sum) else {
        throw ImageFileError(.corrupt, "the checksum of the chunk at byte \(position) is wrong")
      }
      let type = UInt32(number(at: position + 4))
      position = content.upperBound + 4
      return (type, content)
    }
  }
}
