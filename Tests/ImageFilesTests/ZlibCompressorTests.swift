import Imaging
import TestSupport
import Testing

@testable import ImageFiles

@Suite struct ZlibCompressorTests {
  /// Noise that makes igzip pass over bytes, then zeros and noise in turns; the bytes 2 to 5 are zeros too.
  ///
  /// igzip looks up a stale number after each piece that it has passed over. Without care for a stream's
  /// first byte at one in 50 addresses of the stream these gave other bytes.
  private static func rows() -> [UInt8] {
    var random = SeededRandom(seed: 4)
    let noise = (0..<40_000).map { index in
      index > 6144 && index % 13 < 4 ? 0 : UInt8(truncatingIfNeeded: random.next() % 255) + 1
    }
    return [1, 2, 0, 0, 0, 0, 3] + noise[7..<32_768] + [1, 2, 0, 0, 0, 0, 3] + noise[32_775...]
  }

  private func compressed(_ rows: [UInt8], by compressor: IgzipCompressor) throws -> [UInt8] {
    var output = PNGOutput()
    compressor.reset()
    #expect(try compressor.compress(rows, into: &output))
    try compressor.finish([], into: &output)
    return Array(output.bytes.prefix(output.count))
  }

  @Test func `igzip gives the same bytes wherever its stream lies in memory`() throws {
    let rows = Self.rows()
    let expected = try compressed(rows, by: IgzipCompressor())
    var spacers: [[UInt8]] = []
    for _ in 0..<500 {
      #expect(try compressed(rows, by: IgzipCompressor()) == expected)
      // A little smaller than a stream: it lies where the last one lay, so that the next lies elsewhere.
      var spacer: [UInt8] = []
      spacer.reserveCapacity(70_000)
      spacers.append(spacer)
    }
  }

  @Test func `igzip gives what a new one gives after another stream`() throws {
    var random = SeededRandom(seed: 3)
    let other = (0..<100_000).map { _ in random.byte() & 3 }
    let used = IgzipCompressor()
    _ = try compressed(other, by: used)
    #expect(
      try compressed(Self.rows(), by: used) == (try compressed(Self.rows(), by: IgzipCompressor())))
  }
}
