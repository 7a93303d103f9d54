/// Gives pixels without colour that of the foreground around them, step by step outwards.
///
/// A matte that is grown or softened shows pixels where there was hardly more than screen. A step reaches
/// one pixel in all directions, so that tiles with so many rows around them get what the picture gets.
struct ColorSpread {
  /// Alpha below which a pixel's colour is mostly noise: un-mixing divides by it.
  private static let leastAlpha: UInt8 = 24

  private var width = 0
  private var height = 0
  /// The pixels that got their colour in the last step, and those of this one with theirs.
  private var front: [Int] = []
  private var next: [(index: Int, color: SIMD4<UInt8>)] = []

  /// Spreads colours over rows of `width` pixels by a number of steps; alpha stays.
  mutating func spread(over pixels: inout [SIMD4<UInt8>], width: Int, steps: Int) {
    self.width = width
    height = pixels.count / width
    begin(&pixels)
    for _ in 0..<steps {
      next.removeAll(keepingCapacity: true)
      for index in front {
        visitNeighbours(of: index) { other in
          if Self.isColorless(pixels[other]) {
            next.append((other, color(around: other, in: pixels)))
          }
        }
      }
      front.removeAll(keepingCapacity: true)
      // A pixel between several is there several times, with the same colour each time.
      for (index, color) in next where Self.isColorless(pixels[index]) {
        pixels[index] = SIMD4(color.x, color.y, color.z, pixels[index].w)
        front.append(index)
      }
      if front.isEmpty { break }
    }
  }

  /// Takes faint colours away, and finds where colour ends.
  private mutating func begin(_ pixels: inout [SIMD4<UInt8>]) {
    for index in pixels.indices where pixels[index].w > 0 && pixels[index].w < Self.leastAlpha {
      pixels[index] = SIMD4(0, 0, 0, pixels[index].w)
    }
    front.removeAll(keepingCapacity: true)
    for index in pixels.indices where pixels[index].w >= Self.leastAlpha {
      var isEdge = false
      visitNeighbours(of: index) { isEdge = isEdge || Self.isColorless(pixels[$0]) }
      if isEdge { front.append(index) }
    }
  }

  private static func isColorless(_ pixel: SIMD4<UInt8>) -> Bool {
    pixel.w < leastAlpha && pixel.x | pixel.y | pixel.z == 0
  }

  /// The mean colour of the neighbours that have one.
  private func color(around index: Int, in pixels: [SIMD4<UInt8>]) -> SIMD4<UInt8> {
    var sum = SIMD4<UInt16>.zero
    var count: UInt16 = 0
    visitNeighbours(of: index) { other in
      guard !Self.isColorless(pixels[other]) else { return }
      sum &+= SIMD4<UInt16>(truncatingIfNeeded: pixels[other])
      count += 1
    }
    return SIMD4(truncatingIfNeeded: sum / max(count, 1))
  }

  @inline(__always)
  private func visitNeighbours(of index: Int, _ body: (Int) -> Void) {
    let (x, y) = (index % width, index / width)
    for row in max(y - 1, 0)...min(y + 1, height - 1) {
      for column in max(x - 1, 0)...min(x + 1, width - 1) where (column, row) != (x, y) {
        body(row * width + column)
      }
    }
  }
}
