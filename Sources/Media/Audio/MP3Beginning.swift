import Platform

/// How an MP3 file begins: with tags, with bytes that belong to nothing, and then with its first frame.
struct MP3Beginning: Equatable {
  /// The bytes between the tags and the first frame that are no sound; empty where there are none.
  ///
  /// Zeros, which programs that write tags leave as room, are no junk where nothing else is among them.
  let junk: Range<Int>
  /// Where the tags end, in bytes from the file's start.
  let tagsEnd: Int
  /// Where the first frame begins, in bytes from the file's start.
  let firstFrame: Int
  /// What the first frame says of the others, if it does.
  let tag: LAMETag?
  /// Whether the tags say that they are longer than they are: they end behind the first frame.
  var isTagWrong: Bool { tagsEnd > firstFrame }
  /// Whether the frames are of a free format: of a bit rate that they do not tell.
  let isFreeFormat: Bool

  /// As many frames in a row are no chance in a megabyte of anything.
  static let certainFrames = 10
  /// How far the first frame is looked for, in bytes.
  private static let reach = 1 << 20

  /// Looks for the first of `count` frames that follow one another, or follow to the end of the file.
  ///
  /// nil where there are none within a megabyte after the tags.
  init?(ofFileAt path: String, frames count: Int) throws(PlatformError) {
    let window = try MP3Window(path)
    var bytes = try window.bytes(upTo: 8192)
    // Nearly every file has its first frame there.
    var found = Self(bytes, at: window.offset, frames: count, isWhole: window.isAtEnd)
    if found == nil {
      bytes += try window.bytes(upTo: Self.reach)
      found = Self(bytes, at: window.offset, frames: count, isWhole: window.isAtEnd)
    }
    // Tags that say too much end in the middle of a frame, or nowhere.
    if found.map({ !$0.junk.isEmpty }) ?? true, window.offset > 0,
      let inside = try Self(insideTagsOf: path, endingAt: window.offset)
    {
      found = inside
    }
    guard let found else { return nil }
    self = found
  }

  /// Looks for frames within what the tags of a file say is theirs.
  private init?(insideTagsOf path: String, endingAt end: Int) throws(PlatformError) {
    let window = try MP3Window(path, skippingTags: false)
    let bytes = try window.bytes(upTo: Self.reach)
    let isStart = { (place: Int) in
      Self.hasFrames(bytes[place...], Self.certainFrames, isWhole: false)
        && Self.haveFrames(bytes[place...], beyond: end)
    }
    guard let place = bytes.indices.prefix(end).first(where: isStart) else { return nil }
    (junk, firstFrame, tagsEnd, isFreeFormat) = (place..<place, place, end, false)
    tag = LAMETag(bytes[place...].prefix(LAMETag.reach))
  }

  /// Looks through bytes that lie at an offset in the file; `isWhole` says that none follow.
  init?(_ bytes: [UInt8], at offset: Int, frames count: Int, isWhole: Bool) {
    func start(_ isFrame: (Int) -> Bool) -> Int? { bytes.indices.first(where: isFrame) }
    let plain = start { Self.hasFrames(bytes[$0...], count, isWhole: isWhole) }
    let free = plain == nil ? start { Self.hasFreeFrames(bytes[$0...]) } : nil
    guard let place = plain ?? free else { return nil }
    tagsEnd = offset
    firstFrame = offset + place
    tag = LAMETag(bytes[place...].prefix(LAMETag.reach))
    isFreeFormat = plain == nil
    let isPadding = bytes[..<place].allSatisfy { $0 == 0 }
    junk = isPadding ? firstFrame..<firstFrame : offset..<firstFrame
  }

  private static func hasFrames(
    _ bytes: ArraySlice<UInt8>, _ count: Int, isWhole: Bool
  ) -> Bool {
    guard let first = MPEGAudioHeader(bytes) else { return false }
    var rest = bytes
    for number in 0..<count {
      // A file may have fewer frames than are asked for, and its last one may be cut.
      if isWhole, number > 1, rest.count < 4 { return true }
      guard let header = MPEGAudioHeader(rest), header.isAlike(first), let size = header.frameSize
      else { return false }
      if isWhole, number > 0, rest.count <= size { return true }
      rest = rest.dropFirst(size)
    }
    return true
  }

  /// Whether frames follow one another to a place and over it, or to the end of the bytes: those of a
  /// sound that is kept in a tag end within it.
  private static func haveFrames(_ bytes: ArraySlice<UInt8>, beyond end: Int) -> Bool {
    var place = bytes.startIndex
    while place <= end, place + 4 <= bytes.endIndex {
      guard let size = MPEGAudioHeader(bytes[place...])?.frameSize else { return false }
      place += size
    }
    return true
  }

  /// Frames of a free format are all of one size, give or take a byte: three headers tell it.
  private static func hasFreeFrames(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = MPEGAudioHeader(bytes), first.frameSize == nil else { return false }
    func isNext(_ place: Int) -> Bool {
      MPEGAudioHeader(bytes[place...]).map { $0.isAlike(first) && $0.frameSize == nil } ?? false
    }
    // More than any frame of the format has.
    let reach = min(bytes.startIndex + 4096, bytes.endIndex)
    return (bytes.startIndex + 24..<max(reach, bytes.startIndex + 24)).contains { second in
      guard second < bytes.endIndex, isNext(second) else { return false }
      let size = second - bytes.startIndex
      return (size - 1...size + 1).contains { second + $0 < bytes.endIndex && isNext(second + $0) }
    }
  }
}

/// The bytes of a file from the end of its tags on.
private final class MP3Window {
  /// Where the bytes begin in the file.
  private(set) var offset = 0
  /// Whether the end of the file has been reached.
  private(set) var isAtEnd = false
  private let file: FileDescriptor
  private var buffer: [UInt8] = []

  /// Opens a file and passes over the tags that it begins with: ID3v2 and APEv2.
  init(_ path: String, skippingTags: Bool = true) throws(PlatformError) {
    file = try FileDescriptor.open(path, .read)
    while skippingTags {
      try fill(32)
      guard let size = Self.tagSize(buffer) else { return }
      try skip(size)
    }
  }

  /// Takes out the next bytes.
  func bytes(upTo count: Int) throws(PlatformError) -> [UInt8] {
    try fill(count)
    let taken = Array(buffer.prefix(count))
    buffer.removeFirst(taken.count)
    return taken
  }

  /// The size of the tag that bytes begin with, header and footer included; nil where there is none.
  private static func tagSize(_ bytes: [UInt8]) -> Int? {
    if bytes.count >= 10, bytes.starts(with: "ID3".utf8) {
      // Seven bits a byte (id3.org, ID3v2.4.0 structure, section 3.1).
      let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      return 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
    }
    if bytes.count >= 32, bytes.starts(with: "APETAGEX".utf8) {
      return 32 + bytes[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    return nil
  }

  private func fill(_ count: Int) throws(PlatformError) {
    while buffer.count < count, !isAtEnd {
      if case .bytes(let some) = try file.read(upTo: max(4096, count - buffer.count)) {
        buffer += some
      } else {
        isAtEnd = true
      }
    }
  }

  private func skip(_ count: Int) throws(PlatformError) {
    var left = count
    while left > 0 {
      try fill(min(left, 1 << 16))
      guard !buffer.isEmpty else { return }
      let skipped = min(left, buffer.count)
      buffer.removeFirst(skipped)
      offset += skipped
      left -= skipped
    }
  }
}
