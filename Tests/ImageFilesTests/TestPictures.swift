import Foundation
import Imaging
import TestSupport

extension RGBAImage {
  /// Smooth areas, noise and transparency: something of everything that a PNG filter meets.
  static func mixed(_ size: PixelSize, seed: UInt64) -> RGBAImage {
    var random = SeededRandom(seed: seed)
    return RGBAImage(size: size) { y, row in
      for x in 0..<size.width {
        let isNoise = (x / 9 + y / 7) % 3 == 0
        let byte = random.byte()
        row.append(
          isNoise
            ? SIMD4(byte, byte &+ 3, byte &* 5, byte)
            : SIMD4(UInt8(x & 255), UInt8(y & 255), UInt8((x + y) & 255), x % 2 == 0 ? 255 : 0))
      }
    }
  }
}

/// A folder that exists as long as `body` runs.
func withTemporaryFolder<R>(_ body: (URL) throws -> R) throws -> R {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

extension Array where Element == UInt8 {
  /// Copies a span.
  init(_ span: Span<UInt8>) {
    self = span.indices.map { span[$0] }
  }
}
