/// How long a job waits after a failure: exponentially longer, with jitter, up to a maximum.
///
/// The jitter comes from the job and the failure, not from a generator: jobs that failed together
/// spread out, and the same job waits the same time in every run.
public struct Backoff: Hashable, Sendable {
  /// The delay after the first failure, before jitter.
  public var base: Duration
  /// What each further failure multiplies it by.
  public var factor: Double
  /// The longest delay, before jitter.
  public var maximum: Duration
  /// How far a delay strays to both sides, as a part of it, 0…1.
  public var jitter: Double

  /// Makes a law of its parts; the usual one gives 5, 10, 20, 40 s, each ±20 %.
  public init(
    base: Duration = .seconds(5), factor: Double = 2, maximum: Duration = .seconds(600),
    jitter: Double = 0.2
  ) {
    self.base = base
    self.factor = factor
    self.maximum = maximum
    self.jitter = jitter
  }

  /// The delay after the failure `failures`, counted from 1, of the job `seed`.
  public func delay(after failures: Int, seed: Int64) -> Duration {
    var delay = base
    for _ in 1..<max(failures, 1) where delay < maximum { delay = delay * factor }
    let stray = jitter * (2 * Self.unit(seed, failures) - 1)
    return min(delay, maximum) * (1 + stray)
  }

  /// A number in 0..<1 that looks random, by SplitMix64 (Steele, Lea and Flood, 2014).
  private static func unit(_ seed: Int64, _ failures: Int) -> Double {
    var bits = UInt64(bitPattern: seed) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(failures)
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) * 0x1p-53
  }
}
