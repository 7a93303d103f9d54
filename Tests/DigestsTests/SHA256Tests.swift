import Digests
import Foundation
import TestSupport
import Testing

@Suite("SHA256Digest")
struct SHA256Tests {
  // FIPS 180-4 examples and the digest of the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the published examples come out`(message: String, digest: String) {
    #expect(SHA256Digest(of: message).hex == digest)
    #expect(SHA256Digest(of: Array(message.utf8)).description == digest)
  }

  @Test func `a digest is made again of its bytes and of nothing else`() {
    let digest = SHA256Digest(of: "abc")
    #expect(digest.bytes.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
    #expect(SHA256Digest(bytes: digest.bytes) == digest)
    #expect(SHA256Digest(bytes: Array(digest.bytes.dropLast())) == nil)
    #expect(SHA256Digest(bytes: digest.bytes + [0]) == nil)
  }

  @Test func `bytes added in pieces give the digest of the whole`() {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var hasher = SHA256Hasher()
    var rest = bytes[...]
    var size = 0
    while !rest.isEmpty {
      hasher.update(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      size += 7
    }
    #expect(hasher.finish() == SHA256Digest(of: bytes))
  }

  @Test func `a digest reads back from its digits in either case`() {
    let digest = SHA256Digest(of: "keymill")
    #expect(SHA256Digest(hex: digest.hex) == digest)
    #expect(SHA256Digest(hex: digest.hex.uppercased()) == digest)
    #expect(Set([digest, SHA256Digest(of: "keymill"), SHA256Digest(of: "x")]).count == 2)
  }

  @Test(arguments: [
    "", "abc", String(repeating: "g", count: 64), String(repeating: "0", count: 63),
    String(repeating: "0", count: 65), String(repeating: "0", count: 62) + "é",
  ])
  func `anything but 64 hexadecimal digits is no digest`(text: String) {
    #expect(SHA256Digest(hex: text) == nil)
  }

  @Test func `a digest is a string in JSON`() throws {
    let digests = [SHA256Digest(of: "a"), SHA256Digest(of: "")]
    let json = try JSONEncoder().encode(digests)
    #expect(
      String(decoding: json, as: UTF8.self) == #"["\#(digests[0].hex)","\#(digests[1].hex)"]"#)
    #expect(try JSONDecoder().decode([SHA256Digest].self, from: json) == digests)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SHA256Digest].self, from: Data(#"["12"]"#.utf8))
    }
  }

  @Test(arguments: [0, 1, 1 << 18, 1 << 18 + 1, 1_000_003])
  func `a file has the digest of its bytes`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ $0 >> 8) }
    let file = FileManager.default.temporaryDirectory.appending(path: "-digest \(UUID()) %d:é")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try SHA256Digest(ofFileAt: file.path) == SHA256Digest(of: bytes))
  }

  @Test(arguments: [
    ("/nonexistent/clip.mp4", "/nonexistent/clip.mp4: No such file or directory (open)"),
    ("/", "/: Is a directory (read)"),
  ])
  func `a file that cannot be read says which and why`(path: String, message: String) {
    let error = #expect(throws: DigestError.self) { try SHA256Digest(ofFileAt: path) }
    #expect(error?.description == message)
  }
}
