import Foundation
import ImageFiles
import TestSupport
import Testing

@Suite struct EXIFOrientationTests {
  private static func big(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func little(_ value: Int, _ size: Int) -> [UInt8] {
    big(value, size).reversed()
  }

  /// A TIFF structure of one directory with the tag Make before the tag Orientation.
  static func tiff(_ orientation: Int, isLittle: Bool) -> [UInt8] {
    let number = isLittle ? little : big
    let make = number(0x010f, 2) + number(2, 2) + number(4, 4) + Array("abc\0".utf8)
    let tag = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
    return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + make + tag + number(0, 4)
  }

  static func png(_ orientation: Int) -> [UInt8] {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      big(content.count, 4) + Array(type.utf8) + content + [0, 0, 0, 0]
    }
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      + chunk("IHDR", [UInt8](repeating: 0, count: 13))
      + chunk("IDAT", [UInt8](repeating: 7, count: 5001))
      + chunk("eXIf", tiff(orientation, isLittle: false)) + chunk("IEND", [])
  }

  static func webP(_ orientation: Int, hasPrefix: Bool = false) -> [UInt8] {
    let exif = (hasPrefix ? Array("Exif\0\0".utf8) : []) + tiff(orientation, isLittle: true)
    let image = Array("VP8 ".utf8) + little(3, 4) + [1, 2, 3, 0]
    let body = Array("WEBP".utf8) + image + Array("EXIF".utf8) + little(exif.count, 4) + exif
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  /// An AVIF whose primary item 2 has the given transforms, and item 1 another.
  static func avif(_ transforms: [(String, UInt8)]) -> [UInt8] {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      big(content.count + 8, 4) + Array(type.utf8) + content
    }
    let size = box("ispe", [0, 0, 0, 0] + big(64, 4) + big(48, 4))
    let other = box("irot", [2])
    let own = transforms.flatMap { box($0.0, [$0.1]) }
    let indices = transforms.indices.map { UInt8($0 + 3) | 0x80 }
    let links =
      big(0, 4) + big(2, 4) + big(1, 2) + [2, 1, 0x82]
      + big(2, 2) + [UInt8(1 + indices.count), 1] + indices
    let properties = box("iprp", box("ipco", size + other + own) + box("ipma", links))
    let meta = box("meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0] + big(2, 2)) + properties)
    return box("ftyp", Array("avif".utf8) + big(0, 4)) + meta + box("mdat", [1, 2, 3])
  }

  private func orientation(_ bytes: [UInt8]) throws -> Int? {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "picture")
      try Data(bytes).write(to: file)
      return try EXIFOrientation.read(path: file.path)
    }
  }

  @Test(arguments: 1...8)
  func `the value is found in each format`(value: Int) throws {
    #expect(try orientation(Self.tiff(value, isLittle: true)) == value)
    #expect(try orientation(Self.tiff(value, isLittle: false)) == value)
    #expect(try orientation(Self.png(value)) == value)
    #expect(try orientation(Self.webP(value)) == value)
    #expect(try orientation(Self.webP(value, hasPrefix: true)) == value)
  }

  @Test(
    arguments: [
      // irot counts quarter turns against the clock; imir 0 exchanges top and bottom.
      ([("irot", 1)], 8), ([("irot", 2)], 3), ([("irot", 3)], 6), ([("imir", 1)], 2),
      ([("imir", 0)], 4), ([("irot", 3), ("imir", 1)], 5), ([("irot", 1), ("imir", 1)], 7),
      ([("imir", 1), ("irot", 1)], 5),
    ] as [([(String, UInt8)], Int)])
  func `an AVIF's transforms are applied in their order`(
    transforms: [(String, UInt8)], value: Int
  ) throws {
    #expect(try orientation(Self.avif(transforms)) == value)
  }

  @Test func `a file that names none has none`() throws {
    #expect(try orientation(Self.avif([])) == nil)
    #expect(try orientation([]) == nil)
    #expect(try orientation(Array("II*\0".utf8)) == nil)
    #expect(try orientation(Self.tiff(0, isLittle: true)) == nil)
    #expect(try orientation(Self.tiff(9, isLittle: true)) == nil)
    #expect(try orientation(Array("plain text".utf8)) == nil)
  }

  @Test func `damaged files have at worst a wrong orientation`() throws {
    let whole = [
      Self.tiff(6, isLittle: true), Self.png(6), Self.webP(6), Self.avif([("irot", 3)]),
    ]
    var random = SeededRandom(seed: 1)
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "picture")
      for round in 0..<2000 {
        var bytes = whole[round % whole.count]
        for _ in 0..<1 + Int(random.byte() % 8) {
          let index = Int(random.next() % UInt64(bytes.count))
          bytes[index] = [0, 0xff, random.byte()][Int(random.byte() % 3)]
        }
        if random.byte() < 64 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
        try Data(bytes).write(to: file)
        let value = try EXIFOrientation.read(path: file.path)
        #expect(value.map((1...8).contains) ?? true, "seed 1, round \(round)")
      }
    }
  }

  @Test func `a file that is not there is an error that names it`() {
    #expect {
      _ = try EXIFOrientation.read(path: "/no/such/file")
    } throws: {
      "\($0)" == "/no/such/file: No such file or directory"
    }
  }
}
