/// A small random generator whose numbers depend on its seed alone (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014: SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Starts at a state mixed from up to three whole numbers, such as a pixel's place and a frame.
  init(_ first: Int, _ second: Int = 0, _ third: Int = 0) {
    state = UInt64(truncatingIfNeeded: first) &* 0x9E37_79B9_7F4A_7C15
    state = next() ^ UInt64(truncatingIfNeeded: second) &* 0xC2B2_AE3D_27D4_EB4F
    state = next() ^ UInt64(truncatingIfNeeded: third) &* 0x1656_67B1_9E37_79F9
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not, 1.
  mutating func unit() -> Float {
    Float(next() >> 40) * 0x1p-24
  }

  /// A number of mean 0 and standard deviation 1, near enough to a normal distribution for grain:
  /// the sum of four even ones (Irwin–Hall), so that it never strays past ±3.5.
  mutating func normal() -> Float {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Float(sum) / 65535 - 2) * 1.7320508  // 1/√(4/12), the deviation of the sum
  }
}

/// Smooth noise over the plane, 0…1: random values on the whole numbers, blended between.
struct ValueNoise {
  let seed: Int

  /// The noise at `point`, with bumps about one unit wide.
  func value(at point: SIMD2<Float>) -> Float {
    let cell = point.rounded(.down)
    let part = point - cell
    let blend = part * part * (3 - 2 * part)
    let (x, y) = (Int(cell.x), Int(cell.y))
    let top = mix(corner(x, y), corner(x + 1, y), blend.x)
    let bottom = mix(corner(x, y + 1), corner(x + 1, y + 1), blend.x)
    return mix(top, bottom, blend.y)
  }

  /// Fractal noise, 0…1: each octave twice as fine as the one before and half as strong.
  func fractal(at point: SIMD2<Float>, octaves: Int) -> Float {
    var (sum, weight, total) = (Float(0), Float(1), Float(0))
    var place = point
    for _ in 0..<octaves {
      sum += weight * value(at: place)
      total += weight
      weight /= 2
      place = place * 2 + 17.3  // The offset keeps the octaves' corners apart.
    }
    return sum / total
  }

  private func corner(_ x: Int, _ y: Int) -> Float {
    var generator = SeededGenerator(x, y, seed)
    return generator.unit()
  }
}
