internal import CFFmpeg

/// A fraction: seconds per tick, frames per second, or the width of a pixel by its height.
public struct Rational: Hashable, Sendable {
  /// The numerator.
  public let num: Int32
  /// The denominator; 0 where FFmpeg does not know the value.
  public let den: Int32

  /// Creates `num / den` as it stands, without reducing it.
  public init(_ num: Int32, _ den: Int32) {
    self.num = num
    self.den = den
  }

  /// One tick per millisecond.
  public static let milliseconds = Rational(1, 1000)

  /// FFmpeg's own ticks, microseconds (`AV_TIME_BASE_Q`).
  public static let microseconds = Rational(1, 1_000_000)

  /// Whether the fraction is a number above zero, and so usable as a time base or a rate.
  public var isPositive: Bool { num > 0 && den > 0 }

  /// The value; infinite or NaN where the denominator is 0.
  public var value: Double { Double(num) / Double(den) }

  /// `den / num`.
  public var inverse: Rational { Rational(den, num) }

  /// The time of `ticks` in seconds, with `self` as the time base.
  public func seconds(of ticks: Int64) -> Double {
    Double(ticks) * Double(num) / Double(den)
  }

  /// The tick nearest to `seconds`, with `self` as the time base; clamped to what `Int64` holds.
  public func ticks(of seconds: Double) -> Int64 {
    let ticks = (seconds * Double(den) / Double(num)).rounded()
    if let exact = Int64(exactly: ticks) { return exact }
    return ticks > 0 ? .max : .min
  }

  /// The tick of `timeBase` nearest to `ticks` of this one, exact over the whole range.
  ///
  /// Both time bases must be positive. Wraps `av_rescale_q`.
  public func rescale(_ ticks: Int64, to timeBase: Rational) -> Int64 {
    precondition(isPositive && timeBase.isPositive, "a time base is above zero")
    return av_rescale_q(ticks, AVRational(self), AVRational(timeBase))
  }
}

extension Rational: CustomStringConvertible {
  /// `num/den`.
  public var description: String { "\(num)/\(den)" }
}

extension Rational {
  init(_ rational: AVRational) {
    self.init(rational.num, rational.den)
  }

  /// The fraction in lowest terms, or nil where FFmpeg leaves it unset or it is not above zero.
  init?(known rational: AVRational) {
    guard rational.num > 0, rational.den > 0 else { return nil }
    var (num, den): (Int32, Int32) = (0, 0)
    unsafe av_reduce(&num, &den, Int64(rational.num), Int64(rational.den), Int64(Int32.max))
    self.init(num, den)
  }
}

extension AVRational {
  init(_ rational: Rational) {
    self.init(num: rational.num, den: rational.den)
  }
}

/// The ticks, or nil for FFmpeg's mark of an unknown time.
func knownTicks(_ ticks: Int64) -> Int64? {
  ticks == km_no_pts ? nil : ticks
}
