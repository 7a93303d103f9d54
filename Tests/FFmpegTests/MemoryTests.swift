import FFmpeg
import Foundation
import TestSupport
import Testing

/// Memory is that of a whole process, so that each test has one of its own.
struct MemoryTests {
  /// Resident memory of this process in bytes.
  private static func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
  }

  /// How much more is in use after 100 rounds than after 10.
  private static func growth(over round: () throws -> Void) throws -> Int {
    for _ in 0..<10 { try round() }
    let before = try residentBytes()
    for _ in 0..<90 { try round() }
    return try residentBytes() - before
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `decoding the same file again takes no more memory`() async {
    await #expect(processExitsWith: .success) {
      let grown = try MemoryTests.growth {
        let frames = try decode(SharedFiles.media("video/hlg10-color-test.mp4"), atMost: 2).frames
        _ = try frames[0].rgba(width: 64, height: 36)
        _ = try decode(SharedFiles.media("photo/lossy_alpha.webp")).frames
      }
      // One frame lost in each round would be 280 MB.
      #expect(grown < 24 << 20)
    }
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `files that cannot be read leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      LogCapture.start()
      let rejected = Corpus.entries.filter { $0.expect == "rejects" }
      #expect(rejected.count > 20)
      let grown = try MemoryTests.growth {
        for entry in rejected { _ = try? decode(SharedFiles.media(entry.file)) }
        _ = LogCapture.take()
      }
      #expect(grown < 8 << 20)
    }
  }
}
