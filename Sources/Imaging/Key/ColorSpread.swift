/// Gives pixels without colour that of the foreground around them, step by step outwards.
///
/// A matte that is grown or softened shows pixels where there was hardly more than screen. A step reaches
/// one pixel in all directions, so that tiles with so many rows around them get what the picture gets.
struct ColorSpread {
  /// Alpha below which a pixel's colour is mostly noise: un-mixing divides by it.
  private static let leastAlpha: UInt8 = 24

  /// What is known of a pixel; a border of one pixel lies around those of the picture.
  private enum State: UInt8 {
    case colorless, colored, chosen, outside
  }

  private var width = 0
  private var states: [UInt8] = []
  /// The places of pixels that got their colour in the last step, and those of this one.
  private var front: [Int] = []
  private var next: [(place: Int, color: SIMD4<UInt8>)] = []

  /// Spreads colours over rows of `width` pixels by a number of steps; alpha stays.
  mutating func spread(over pixels: inout [SIMD4<UInt8>], width: Int, steps: Int) {
    self.width = width
    begin(pixels)
    for _ in 0..<steps {
      choose(pixels)
      guard !next.isEmpty else { return }
      front.removeAll(keepingCapacity: true)
      for (place, color) in next {
        let index = index(of: place)
        pixels[index] = SIMD4(color.x, color.y, color.z, pixels[index].w)
        states[place] = State.colored.rawValue
        front.append(place)
      }
    }
  }

  /// Finds what has colour, and where that ends.
  private mutating func begin(_ pixels: [SIMD4<UInt8>]) {
    let (stride, height) = (width + 2, pixels.count / width)
    states.removeAll(keepingCapacity: true)
    states.append(contentsOf: repeatElement(State.outside.rawValue, count: stride * (height + 2)))
    for y in 0..<height {
      for x in 0..<width {
        let isColored = pixels[y * width + x].w >= Self.leastAlpha
        states[(y + 1) * stride + x + 1] = (isColored ? State.colored : .colorless).rawValue
      }
    }
    front.removeAll(keepingCapacity: true)
    for place in stride..<states.count - stride where states[place] == State.colored.rawValue {
      let isEdge = Self.around(stride).contains { states[place + $0] == State.colorless.rawValue }
      if isEdge { front.append(place) }
    }
  }

  /// Chooses the pixels beside those of the last step, and their colours.
  private mutating func choose(_ pixels: [SIMD4<UInt8>]) {
    next.removeAll(keepingCapacity: true)
    let steps = Self.around(width + 2)
    for place in front {
      for step in steps where states[place + step] == State.colorless.rawValue {
        let other = place + step
        states[other] = State.chosen.rawValue
        next.append((other, color(around: other, in: pixels, steps)))
      }
    }
  }

  /// The mean colour of the neighbours that have one.
  private func color(
    around place: Int, in pixels: [SIMD4<UInt8>], _ steps: [Int]
  ) -> SIMD4<UInt8> {
    var sum = SIMD4<UInt16>.zero
    var count: UInt16 = 0
    for step in steps where states[place + step] == State.colored.rawValue {
      sum &+= SIMD4<UInt16>(truncatingIfNeeded: pixels[index(of: place + step)])
      count += 1
    }
    return SIMD4(truncatingIfNeeded: sum / max(count, 1))
  }

  /// Where in the picture's pixels a place is.
  private func index(of place: Int) -> Int {
    (place / (width + 2) - 1) * width + place % (width + 2) - 1
  }

  private static func around(_ stride: Int) -> [Int] {
    [-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1]
  }
}
