import Digests
import Foundation
import Platform
import Testing

@testable import Media

@Suite(.temporaryDirectory) struct ReadBackTests {
  /// A file that holds `bytes`.
  private func file(_ bytes: [UInt8]) throws -> String {
    let path = "\(TemporaryDirectory.path)/file"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// More than is read at once, and no multiple of that.
  private let bytes = (0..<200_001).map { UInt8(truncatingIfNeeded: $0 &* $0 &>> 3) }

  @Test func `what reads back as it was written is entered by its length and digest`() throws {
    let record = try ReadBack().record(of: file(bytes), name: "file", expecting: bytes.span)
    #expect(record.bytes == bytes.count)
    #expect(record.sha256 == SHA256Digest(of: bytes))
  }

  @Test(arguments: [0, 65_536, 200_000])
  func `a byte that reads back otherwise is a defect`(place: Int) throws {
    var other = bytes
    other[place] ^= 1
    let path = try file(other)
    let error = #expect(throws: MediaError.self) {
      try ReadBack().record(of: path, name: "file", expecting: bytes.span)
    }
    #expect(error?.kind == .defect)
  }

  @Test(arguments: [0, 65_536, 200_000, 200_002])
  func `a file of another length is a defect`(count: Int) throws {
    let path = try file(Array((bytes + [0, 0]).prefix(count)))
    let error = #expect(throws: MediaError.self) {
      try ReadBack().record(of: path, name: "file", expecting: bytes.span)
    }
    #expect(error?.kind == .defect)
  }

  @Test func `a file that is gone is named by its path`() throws {
    let path = "\(TemporaryDirectory.path)/none"
    let error = #expect(throws: PlatformError.self) {
      try ReadBack().record(of: path, name: "none", expecting: bytes.span)
    }
    #expect(error?.subject == path)
  }
}
