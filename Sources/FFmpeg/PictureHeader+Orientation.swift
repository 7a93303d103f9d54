// FFmpeg reads the orientation of JPEG alone; here are PNG, WebP, TIFF and the ISO family.
extension PictureHeader {
  /// How the stored pixels are turned to stand upright, where FFmpeg does not say so itself.
  var displayTransform: DisplayTransform? {
    if has([0x89, 0x50, 0x4e, 0x47], at: 0) {
      return chunk("eXIf", from: 8, .big).flatMap { exifTransform(at: $0) }
    }
    if has("RIFF", at: 0), has("WEBP", at: 8) {
      return chunk("EXIF", from: 12, .little).flatMap { exifTransform(at: $0) }
    }
    if has("ftyp", at: 4) { return itemTransform }
    return exifTransform(at: 0)
  }

  /// The payload of the first chunk of a name, in PNG (length first) or WebP (name first).
  private func chunk(_ name: String, from start: Int, _ order: ByteOrder) -> Int? {
    let isPNG = order == .big
    var offset = start
    while let length = number(at: isPNG ? offset : offset + 4, bytes: 4, order) {
      if has(name, at: isPNG ? offset + 4 : offset) { return offset + 8 }
      // PNG ends each with a checksum, WebP pads to an even length.
      offset += 8 + (isPNG ? length + 4 : length + length % 2)
    }
    return nil
  }

  /// Tag 274 of an EXIF block, which is a TIFF file and in WebP may have JPEG's mark before it.
  private func exifTransform(at start: Int) -> DisplayTransform? {
    let mark = Array("Exif\0\0".utf8)
    let base = has(mark, at: start) ? start + mark.count : start
    guard has("II*\0", at: base) || has("MM\0*", at: base) else { return nil }
    return directory(at: base, has("II", at: base) ? .little : .big)[274]
      .flatMap(DisplayTransform.init(exifOrientation:))
  }
}

// MARK: ISO/IEC 23008-12

extension PictureHeader {
  private struct Box {
    var name: String
    var content: Range<Int>
  }

  /// The boxes that stand one after the other in a part of the file.
  private func boxes(in range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound, let size = number(at: offset, bytes: 4, .big) {
      // 0 means to the end; 64-bit sizes are those of media data, which is not looked into.
      let end = size == 0 ? range.upperBound : offset + size
      guard size == 0 || size >= 8, end <= range.upperBound else { break }
      let name = String(decoding: bytes[(offset + 4)..<(offset + 8)], as: UTF8.self)
      boxes.append(Box(name: name, content: (offset + 8)..<end))
      offset = end
    }
    return boxes
  }

  private func box(_ name: String, in range: Range<Int>?, skipping header: Int = 0) -> Range<Int>? {
    guard let range, range.count >= header else { return nil }
    return boxes(in: (range.lowerBound + header)..<range.upperBound)
      .first { $0.name == name }?.content
  }

  /// The `irot` and `imir` properties of the primary item, in the order they are listed.
  private var itemTransform: DisplayTransform? {
    let meta = box("meta", in: 0..<bytes.count)
    let properties = box("iprp", in: meta, skipping: 4)
    guard let container = box("ipco", in: properties), let links = box("ipma", in: properties),
      let primary = box("pitm", in: meta, skipping: 4),
      let isLong = number(at: primary.lowerBound, bytes: 1, .big),
      let item = number(at: primary.lowerBound + 4, bytes: isLong == 0 ? 2 : 4, .big)
    else { return nil }
    let list = boxes(in: container)
    return indices(ofItem: item, in: links).reduce(DisplayTransform.identity) { whole, index in
      guard list.indices.contains(index - 1) else { return whole }
      return transform(of: list[index - 1]).map(whole.followed(by:)) ?? whole
    }
  }

  private func transform(of property: Box) -> DisplayTransform? {
    guard let value = number(at: property.content.lowerBound, bytes: 1, .big) else { return nil }
    switch property.name {
    // Quarter turns anticlockwise.
    case "irot": return DisplayTransform(quarterTurns: -(value & 3))
    // 0 exchanges top and bottom, 1 left and right.
    case "imir": return DisplayTransform(quarterTurns: value & 1 == 0 ? 2 : 0, isMirrored: true)
    default: return nil
    }
  }

  /// The numbers, from 1, of the properties that an `ipma` box gives an item.
  private func indices(ofItem item: Int, in links: Range<Int>) -> [Int] {
    guard let header = number(at: links.lowerBound, bytes: 4, .big),
      let count = number(at: links.lowerBound + 4, bytes: 4, .big)
    else { return [] }
    let idSize = header >> 24 == 0 ? 2 : 4
    let indexSize = header & 1 == 0 ? 1 : 2
    var offset = links.lowerBound + 8
    for _ in 0..<count {
      guard let id = number(at: offset, bytes: idSize, .big),
        let length = number(at: offset + idSize, bytes: 1, .big)
      else { return [] }
      offset += idSize + 1
      if id == item {
        // The top bit says whether a reader must know the property.
        return (0..<length).compactMap { place in
          number(at: offset + place * indexSize, bytes: indexSize, .big)
            .map { $0 & (indexSize == 1 ? 0x7f : 0x7fff) }
        }
      }
      offset += length * indexSize
    }
    return []
  }
}
