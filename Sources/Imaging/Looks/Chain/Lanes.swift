import CVectors

/// One channel of eight pixels, the unit in which filters compute.
///
/// Only operations that are single vector instructions on every machine are here, or few of them:
/// the SIMD types' own `pointwiseMin` and `squareRoot` go lane by lane, at ten times the cost. A
/// number literal stands for the same number in all lanes.
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

  /// The square roots; NaN of negative numbers.
  @inline(__always)
  var squareRoot: Lanes { Lanes(km_square_root(values)) }

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

  /// The numbers clamped to 0…1; NaN becomes 0.
  @inline(__always)
  var clampedToUnit: Lanes { minimum(maximum(self, 0), 1) }
}

// MARK: - Choosing

/// For each lane, whether something holds.
struct LaneMask {
  let lanes: SIMDMask<SIMD8<Int32>>

  @inline(__always)
  init(_ lanes: SIMDMask<SIMD8<Int32>>) { self.lanes = lanes }

  @inline(__always)
  static func & (a: LaneMask, b: LaneMask) -> LaneMask { LaneMask(a.lanes .& b.lanes) }
  @inline(__always)
  static func | (a: LaneMask, b: LaneMask) -> LaneMask { LaneMask(a.lanes .| b.lanes) }
  @inline(__always)
  static prefix func ! (a: LaneMask) -> LaneMask { LaneMask(.!a.lanes) }
}

/// Comparisons, none of which holds for NaN.
extension Lanes {
  @inline(__always)
  static func < (a: Lanes, b: Lanes) -> LaneMask { LaneMask(a.values .< b.values) }
  @inline(__always)
  static func > (a: Lanes, b: Lanes) -> LaneMask { LaneMask(a.values .> b.values) }
  @inline(__always)
  static func <= (a: Lanes, b: Lanes) -> LaneMask { LaneMask(a.values .<= b.values) }
  @inline(__always)
  static func >= (a: Lanes, b: Lanes) -> LaneMask { LaneMask(a.values .>= b.values) }
  @inline(__always)
  static func == (a: Lanes, b: Lanes) -> LaneMask { LaneMask(a.values .== b.values) }
}

/// `a` where the mask holds, else `b`.
@inline(__always)
func select(_ mask: LaneMask, _ a: Lanes, _ b: Lanes) -> Lanes {
  Lanes(b.values.replacing(with: a.values, where: mask.lanes))
}

/// The lesser of two numbers in each lane; where either is NaN, `b`.
@inline(__always)
func minimum(_ a: Lanes, _ b: Lanes) -> Lanes { Lanes(km_lesser(a.values, b.values)) }

/// The greater of two numbers in each lane; where either is NaN, `b`.
@inline(__always)
func maximum(_ a: Lanes, _ b: Lanes) -> Lanes { Lanes(km_greater(a.values, b.values)) }

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
  // Too narrow to divide by: the least positive width makes the step hard. A quotient apart, because
  // the bounds are mostly the same for a whole picture.
  let scale = 1 / select(width.magnitude < 1e-12, 1e-12, width)
  let t = ((x - low) * scale).clampedToUnit
  return t * t * (3 - 2 * t)
}
