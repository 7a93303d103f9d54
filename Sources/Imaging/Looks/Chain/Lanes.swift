/// One channel of eight pixels, the unit in which filters compute.
///
/// Only operations that are single vector instructions on every machine are here, or few of them:
/// the SIMD types' own `pointwiseMin`, `squareRoot` and `rounded` go lane by lane, at ten times the
/// cost. A number literal stands for the same number in all lanes.
struct Lanes: Sendable {
  var values: SIMD8<Float>

  @inline(__always)
  init(_ values: SIMD8<Float>) { self.values = values }

  /// The same number in all lanes.
  @inline(__always)
  init(_ value: Float) { values = SIMD8(repeating: value) }

  /// Lanes of the given bits.
  @inline(__always)
  init(bits: SIMD8<Int32>) { values = unsafe unsafeBitCast(bits, to: SIMD8<Float>.self) }

  /// The bits of the numbers.
  @inline(__always)
  var bits: SIMD8<Int32> { unsafe unsafeBitCast(values, to: SIMD8<Int32>.self) }

  /// 0, 1, … 7.
  static var indices: Lanes {
    @inline(__always) get { Lanes(SIMD8(0, 1, 2, 3, 4, 5, 6, 7)) }
  }
}

extension Lanes: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  @inline(__always)
  init(floatLiteral value: Float) { self.init(value) }
  @inline(__always)
  init(integerLiteral value: Int32) { self.init(Float(value)) }
}

// MARK: - Arithmetic

extension Lanes {
  @inline(__always)
  static func + (a: Lanes, b: Lanes) -> Lanes { Lanes(a.values + b.values) }
  @inline(__always)
  static func - (a: Lanes, b: Lanes) -> Lanes { Lanes(a.values - b.values) }
  @inline(__always)
  static func * (a: Lanes, b: Lanes) -> Lanes { Lanes(a.values * b.values) }
  @inline(__always)
  static func / (a: Lanes, b: Lanes) -> Lanes { Lanes(a.values / b.values) }
  @inline(__always)
  static prefix func - (a: Lanes) -> Lanes { Lanes(bits: a.bits ^ SIMD8(repeating: .min)) }
  @inline(__always)
  static func += (a: inout Lanes, b: Lanes) { a = a + b }
  @inline(__always)
  static func -= (a: inout Lanes, b: Lanes) { a = a - b }
  @inline(__always)
  static func *= (a: inout Lanes, b: Lanes) { a = a * b }

  /// The numbers without their signs.
  @inline(__always)
  var magnitude: Lanes { Lanes(bits: bits & SIMD8(repeating: .max)) }

  /// The square roots of the magnitudes.
  @inline(__always)
  var squareRoot: Lanes {
    // Of the magnitude, because only a root that is known to be real is made one instruction.
    @inline(__always) func root(_ bits: Int32) -> Float {
      Float(bitPattern: UInt32(bitPattern: bits & .max)).squareRoot()
    }
    return Lanes(
      SIMD8(
        root(bits[0]), root(bits[1]), root(bits[2]), root(bits[3]),
        root(bits[4]), root(bits[5]), root(bits[6]), root(bits[7])))
  }

  /// The whole numbers nearest to numbers of a magnitude below 2²², ties to even.
  @inline(__always)
  var rounded: Lanes {
    // The sum has no bits left for a fraction. 1.5·2²³, so that it has for negative numbers too.
    Lanes((values + 12_582_912) - 12_582_912)
  }

  /// The greatest whole numbers not above numbers of a magnitude below 2²².
  @inline(__always)
  var floor: Lanes {
    let nearest = rounded
    return nearest - select(self < nearest, 1, 0)
  }

  /// What `floor` leaves.
  @inline(__always)
  var fraction: Lanes { self - floor }

  /// The numbers clamped to 0…1; NaN becomes 0 or 1 by its sign.
  ///
  /// On the bits, whose order is that of the numbers where these are positive: six instructions, of
  /// which all are made vectors.
  @inline(__always)
  var clampedToUnit: Lanes {
    let positive = bits & ~(bits &>> 31)
    let one = SIMD8<Int32>(repeating: 0x3f80_0000)
    let excess = positive &- one
    return Lanes(bits: (excess & (excess &>> 31)) &+ one)
  }
}

// MARK: - Choosing

/// For each lane, whether something holds: all bits set, or none.
struct LaneMask {
  let bits: SIMD8<Int32>

  @inline(__always)
  init(bits: SIMD8<Int32>) { self.bits = bits }

  /// Whether numbers are below zero.
  @inline(__always)
  init(signsOf lanes: Lanes) { bits = lanes.bits &>> 31 }

  @inline(__always)
  static func & (a: LaneMask, b: LaneMask) -> LaneMask { LaneMask(bits: a.bits & b.bits) }
  @inline(__always)
  static func | (a: LaneMask, b: LaneMask) -> LaneMask { LaneMask(bits: a.bits | b.bits) }
  @inline(__always)
  static prefix func ! (a: LaneMask) -> LaneMask { LaneMask(bits: ~a.bits) }
}

/// Comparisons, by the sign of the difference: three instructions, where the SIMD types' own masks go
/// through scalar registers. NaN compares as anything.
extension Lanes {
  @inline(__always)
  static func < (a: Lanes, b: Lanes) -> LaneMask {
    // Adding 0 takes the sign from −0, the difference of −0 and 0.
    LaneMask(signsOf: (a - b) + 0)
  }
  @inline(__always)
  static func > (a: Lanes, b: Lanes) -> LaneMask { b < a }
  @inline(__always)
  static func <= (a: Lanes, b: Lanes) -> LaneMask { !(b < a) }
  @inline(__always)
  static func >= (a: Lanes, b: Lanes) -> LaneMask { !(a < b) }
  @inline(__always)
  static func == (a: Lanes, b: Lanes) -> LaneMask { !((a < b) | (b < a)) }
}

/// `a` where the mask holds, else `b`.
@inline(__always)
func select(_ mask: LaneMask, _ a: Lanes, _ b: Lanes) -> Lanes {
  Lanes(bits: (mask.bits & a.bits) | (~mask.bits & b.bits))
}

/// The lesser of two numbers in each lane.
@inline(__always)
func minimum(_ a: Lanes, _ b: Lanes) -> Lanes { select(a < b, a, b) }

/// The greater of two numbers in each lane.
@inline(__always)
func maximum(_ a: Lanes, _ b: Lanes) -> Lanes { select(b < a, a, b) }

/// `a·(1 − t) + b·t`; `t` is not clamped.
@inline(__always)
func mix(_ a: Lanes, _ b: Lanes, _ t: Lanes) -> Lanes { a * (1 - t) + b * t }

/// 1 where `x` is at least `edge`, else 0.
@inline(__always)
func step(_ edge: Lanes, _ x: Lanes) -> Lanes { select(x >= edge, 1, 0) }

/// The smooth step from 0 at `low` to 1 at `high`; a hard one where both are the same.
@inline(__always)
func smoothstep(_ low: Lanes, _ high: Lanes, _ x: Lanes) -> Lanes {
  let width = high - low
  // Too narrow to divide by: the least positive width makes the step hard.
  let t = ((x - low) / select(width.magnitude < 1e-12, 1e-12, width)).clampedToUnit
  return t * t * (3 - 2 * t)
}
