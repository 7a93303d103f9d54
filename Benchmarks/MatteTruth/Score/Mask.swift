/// A set of a picture's pixels.
struct Mask {
  let width: Int
  let height: Int
  private(set) var bits: [Bool]

  init(width: Int, height: Int, bits: [Bool]) {
    self.width = width
    self.height = height
    self.bits = bits
  }

  /// How many pixels it has.
  var count: Int { bits.count { $0 } }

  /// The pixels in one of both.
  func union(_ other: Mask) -> Mask { combined(with: other) { $0 || $1 } }

  /// The pixels in exactly one of both.
  func symmetricDifference(_ other: Mask) -> Mask { combined(with: other) { $0 != $1 } }

  /// The set with all pixels that are up to so many steps along rows and columns away.
  func dilated(by steps: Int) -> Mask {
    stepped(steps) { $0 || $1 }
  }

  /// The set without the pixels that are so many steps or fewer away from one outside it; outside
  /// the picture there is nothing.
  func eroded(by steps: Int) -> Mask {
    stepped(steps) { $0 && $1 }
  }

  private func combined(with other: Mask, _ rule: (Bool, Bool) -> Bool) -> Mask {
    Mask(width: width, height: height, bits: zip(bits, other.bits).map(rule))
  }

  /// Combines each pixel with its four neighbours, so many times over.
  private func stepped(_ steps: Int, _ rule: (Bool, Bool) -> Bool) -> Mask {
    var (from, to) = (bits, bits)
    for _ in 0..<steps {
      for y in 0..<height {
        for x in 0..<width {
          let index = y * width + x
          var bit = rule(from[index], x > 0 && from[index - 1])
          bit = rule(bit, x + 1 < width && from[index + 1])
          bit = rule(bit, y > 0 && from[index - width])
          to[index] = rule(bit, y + 1 < height && from[index + width])
        }
      }
      swap(&from, &to)
    }
    return Mask(width: width, height: height, bits: from)
  }
}
