import Glibc

/// Time since the machine started, counting sleep; the same for all processes of one boot.
///
/// Leases are written in it: it never steps as the wall clock does.
public enum BootClock {
  /// The time since boot.
  ///
  /// Reads CLOCK_BOOTTIME.
  public static var now: Duration { .nanoseconds(nowNanoseconds) }

  /// The time since boot in whole milliseconds.
  public static var nowMS: Int64 { nowNanoseconds / 1_000_000 }

  /// How long the machine has slept since it started.
  ///
  /// Reads CLOCK_BOOTTIME and CLOCK_MONOTONIC, which stands still in sleep.
  public static var asleep: Duration {
    var awake = timespec()
    // Cannot fail: see below.
    unsafe clock_gettime(CLOCK_MONOTONIC, &awake)
    return now - .seconds(Int64(awake.tv_sec)) - .nanoseconds(Int64(awake.tv_nsec))
  }

  static var nowNanoseconds: Int64 {
    var time = timespec()
    // Cannot fail: the clock exists since Linux 2.6.39 and the structure is ours.
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// Whole nanoseconds, bounded to what 64 bits hold (292 years).
  var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, tooFar) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !overflow, !tooFar else { return seconds < 0 ? .min : .max }
    return sum
  }
}
