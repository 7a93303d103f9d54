internal import Imaging

/// The orientation of a HEIF or AVIF file's primary item (ISO/IEC 23008-12 §6.5.10 and §6.5.12).
enum HEIFOrientation {
  /// The orientation 1…8; `nil` where the primary item has neither `irot` nor `imir`.
  static func read(_ file: borrowing FileBytes) throws(ImageFileError) -> Int? {
    guard let meta = try metaBox(of: file) else { return nil }
    // A full box: version and flags come before the children.
    let children = ISOBoxes(meta, from: 4)
    guard let primary = primaryItem(children.content(of: "pitm")),
      let properties = children.content(of: "iprp")
    else { return nil }
    let parts = ISOBoxes(properties)
    guard let container = parts.content(of: "ipco"), let links = parts.content(of: "ipma")
    else { return nil }
    let boxes = ISOBoxes(container).all
    let transforms = associations(of: primary, in: links).compactMap { index in
      // Associations count from 1.
      boxes.indices.contains(index - 1) ? orientation(boxes[index - 1]) : nil
    }
    guard !transforms.isEmpty else { return nil }
    // The transforms are applied in the order they are associated in.
    return transforms.reduce(Orientation.upright) { $0.followed(by: $1) }.exif
  }

  /// The content of the file's `meta` box.
  private static func metaBox(of file: borrowing FileBytes) throws(ImageFileError) -> [UInt8]? {
    var position = 0
    for _ in 0..<64 {
      let header = ByteReader(try file.read(at: position, count: 16))
      guard let box = ISOBoxes.header(header, at: 0, limit: file.count - position)
      else { return nil }
      if box.type == "meta" {
        let length = min(box.length - box.headerLength, EXIFOrientation.largestPart)
        return try file.read(at: position + box.headerLength, count: length)
      }
      position += box.length
    }
    return nil
  }

  private static func primaryItem(_ content: [UInt8]?) -> Int? {
    guard let content else { return nil }
    let reader = ByteReader(content)
    // Version 0 has a 16-bit identifier.
    return reader.byte(at: 0) == 0 ? reader.bigEndian16(at: 4) : reader.bigEndian32(at: 4)
  }

  /// The numbers of the properties associated with an item, in order.
  private static func associations(of item: Int, in content: [UInt8]) -> [Int] {
    let reader = ByteReader(content)
    guard let version = reader.byte(at: 0), let flags = reader.byte(at: 3),
      let entries = reader.bigEndian32(at: 4)
    else { return [] }
    let idSize = version == 0 ? 2 : 4
    let indexSize = flags & 1 == 1 ? 2 : 1
    var position = 8
    for _ in 0..<min(entries, content.count) {
      guard let id = reader.bigEndian(at: position, size: idSize),
        let count = reader.byte(at: position + idSize)
      else { return [] }
      position += idSize + 1
      if id == item {
        // The top bit of each says whether a reader must know the property.
        return (0..<count).compactMap {
          reader.bigEndian(at: position + $0 * indexSize, size: indexSize)
            .map { $0 & (1 << (8 * indexSize - 1) - 1) }
        }
      }
      position += count * indexSize
    }
    return []
  }

  /// The orientation that a property asks for; `nil` for one of another kind.
  private static func orientation(_ box: (type: String, content: [UInt8])) -> Orientation? {
    guard let value = box.content.first else { return nil }
    switch box.type {
    case "irot": return Orientation(quarterTurnsClockwise: -Int(value & 3))
    case "imir":
      // Axis 0 exchanges top and bottom, which is half a turn and a mirror; axis 1 left and right.
      return Orientation(quarterTurnsClockwise: value & 1 == 0 ? 2 : 0, isMirrored: true)
    default: return nil
    }
  }
}

/// The boxes that follow each other in the content of another (ISO/IEC 14496-12 §4.2).
struct ISOBoxes {
  /// The boxes in order.
  let all: [(type: String, content: [UInt8])]

  /// Reads boxes from an offset on, up to the first that is damaged.
  init(_ bytes: [UInt8], from offset: Int = 0) {
    let reader = ByteReader(bytes)
    var boxes: [(type: String, content: [UInt8])] = []
    var position = offset
    while let box = Self.header(reader, at: position, limit: bytes.count - position) {
      boxes.append((box.type, Array(bytes[position + box.headerLength..<position + box.length])))
      position += box.length
    }
    all = boxes
  }

  /// The content of the first box of a type.
  func content(of type: String) -> [UInt8]? {
    all.first { $0.type == type }?.content
  }

  /// The header of the box at a place; `nil` where it is longer than `limit` bytes or damaged.
  static func header(
    _ reader: ByteReader, at index: Int, limit: Int
  ) -> (type: String, length: Int, headerLength: Int)? {
    guard let short = reader.bigEndian32(at: index), let type = reader.text(at: index + 4, count: 4)
    else { return nil }
    var (length, headerLength) = (short, 8)
    if short == 1 {
      // A 64-bit length whose top byte is not zero is longer than any file.
      guard reader.byte(at: index + 8) == 0, let long = reader.bigEndian(at: index + 9, size: 7)
      else { return nil }
      (length, headerLength) = (long, 16)
    } else if short == 0 {
      // The box goes on to the end.
      length = limit
    }
    guard length >= headerLength, length <= limit else { return nil }
    return (type, length, headerLength)
  }
}
