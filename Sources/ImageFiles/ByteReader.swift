/// Reads numbers and texts out of bytes; whatever lies outside them is `nil`.
struct ByteReader {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func byte(at index: Int) -> Int? {
    bytes.indices.contains(index) ? Int(bytes[index]) : nil
  }

  /// An unsigned number of `size` bytes, at most seven, the greatest first.
  func bigEndian(at index: Int, size: Int) -> Int? {
    guard index >= 0, size >= 0, size <= 7, index <= count - size else { return nil }
    return bytes[index..<index + size].reduce(0) { $0 << 8 | Int($1) }
  }

  func bigEndian16(at index: Int) -> Int? { bigEndian(at: index, size: 2) }
  func bigEndian32(at index: Int) -> Int? { bigEndian(at: index, size: 4) }

  func littleEndian32(at index: Int) -> Int? { number32(at: index, true) }

  func number16(at index: Int, _ isLittle: Bool) -> Int? {
    bigEndian16(at: index).map { isLittle ? Int(UInt16($0).byteSwapped) : $0 }
  }

  func number32(at index: Int, _ isLittle: Bool) -> Int? {
    bigEndian32(at: index).map { isLittle ? Int(UInt32($0).byteSwapped) : $0 }
  }

  /// `count` bytes as ASCII; `nil` where they are not.
  func text(at index: Int, count: Int) -> String? {
    guard index >= 0, index <= self.count - count else { return nil }
    let part = bytes[index..<index + count]
    guard part.allSatisfy({ $0 < 128 }) else { return nil }
    return String(decoding: part, as: UTF8.self)
  }

  func matches(_ expected: [UInt8], at index: Int) -> Bool {
    guard index >= 0, index <= count - expected.count else { return false }
    return bytes[index..<index + expected.count].elementsEqual(expected)
  }
}
