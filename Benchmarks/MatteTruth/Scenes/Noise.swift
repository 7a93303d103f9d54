/// Numbers that look random and depend on their place alone.
struct Noise {
  let seed: UInt64

  init(_ seed: Int) { self.seed = UInt64(truncatingIfNeeded: seed) }

  /// A number in 0..<1 for one or two whole numbers.
  ///
  /// The mix is SplitMix64's (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
  /// Generators", 2014).
  func value(_ x: Int, _ y: Int = 0) -> Float {
    var mixed = seed &* 0xD1B5_4A32_D192_ED03
    mixed ^= UInt64(truncatingIfNeeded: x) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= UInt64(truncatingIfNeeded: y) &* 0xC2B2_AE3D_27D4_EB4F
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Float((mixed ^ (mixed >> 31)) >> 40) * 0x1p-24
  }

  /// A number from `low` up to `high`.
  func value(_ x: Int, _ y: Int = 0, from low: Float, to high: Float) -> Float {
    low + (high - low) * value(x, y)
  }

  /// Smooth noise over the plane, 0…1: each octave twice as fine as the one before and half as
  /// strong; the first has bumps one unit wide.
  func cloud(at place: Point, octaves: Int) -> Float {
    var (sum, weight, total, place) = (Float(0), Float(1), Float(0), place)
    for _ in 0..<octaves {
      sum += weight * bump(at: place)
      total += weight
      weight /= 2
      place = place * 2 + 31.7  // The offset keeps the octaves' corners apart.
    }
    return sum / total
  }

  private func bump(at place: Point) -> Float {
    let cell = place.rounded(.down)
    let part = place - cell
    let share = part * part * (3 - 2 * part)
    let (x, y) = (Int(cell.x), Int(cell.y))
    let top = value(x, y) * (1 - share.x) + value(x + 1, y) * share.x
    let bottom = value(x, y + 1) * (1 - share.x) + value(x + 1, y + 1) * share.x
    return top * (1 - share.y) + bottom * share.y
  }
}
