import FFmpeg

/// RGBA bytes of a picture, rows without gaps.
struct Pixels: Equatable {
  var width: Int
  var height: Int
  var bytes: [UInt8]

  subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * width + x) * 4
    return Array(bytes[start..<(start + 4)])
  }

  /// The mean difference of a component; infinite between different sizes.
  func difference(to other: Pixels) -> Double {
    guard width == other.width, height == other.height else { return .infinity }
    let sum = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(bytes.count)
  }

  /// The plain reference of what a display transform means: mirror, then turn clockwise.
  func applying(_ transform: DisplayTransform) -> Pixels {
    var result = self
    if transform.isMirrored {
      result = result.mapped(width, height) { x, y in (width - 1 - x, y) }
    }
    for _ in 0..<transform.quarterTurns {
      let (w, h, source) = (result.height, result.width, result)
      result = source.mapped(w, h) { x, y in (y, source.height - 1 - x) }
    }
    return result
  }

  private func mapped(
    _ newWidth: Int, _ newHeight: Int, _ source: (Int, Int) -> (Int, Int)
  ) -> Pixels {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(self.bytes.count)
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        let (sx, sy) = source(x, y)
        bytes += self[sx, sy]
      }
    }
    return Pixels(width: newWidth, height: newHeight, bytes: bytes)
  }
}

extension Frame {
  /// The frame as RGBA, at its own size or another.
  func rgba(width: Int? = nil, height: Int? = nil) throws -> Pixels {
    let (width, height) = (width ?? self.width, height ?? self.height)
    var pixels = Pixels(
      width: width, height: height, bytes: [UInt8](repeating: 0, count: width * height * 4))
    var span = pixels.bytes.mutableSpan
    try Scaler().convertToRGBA(self, width: width, height: height, into: &span, stride: width * 4)
    return pixels
  }
}
