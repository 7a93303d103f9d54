public import struct FoundationEssentials.Date

/// How long an entry of the cache may be used.
///
/// The three ways of hyperoslo/Cache's `Expiry`.
public enum Expiry: Hashable, Sendable {
  /// For ever, as far as the limits allow.
  case never
  /// So long after it was stored.
  case after(Duration)
  /// Until a date.
  case date(Date)

  /// The last moment in milliseconds since 1970; nil for none.
  func deadline(from nowMS: Int64) -> Int64? {
    switch self {
    case .never: return nil
    case .after(let duration):
      let (sum, isTooFar) = nowMS.addingReportingOverflow(duration.wholeMilliseconds)
      return isTooFar ? nil : sum
    case .date(let date): return date.millisecondsSince1970
    }
  }
}

extension Date {
  /// Whole milliseconds since 1970, bounded to what 64 bits hold.
  var millisecondsSince1970: Int64 {
    let value = timeIntervalSince1970 * 1000
    return Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
  }

  /// The time so many milliseconds after 1970.
  init(millisecondsSince1970 value: Int64) {
    self.init(timeIntervalSince1970: Double(value) / 1000)
  }
}

extension Duration {
  /// Whole milliseconds, bounded to what 64 bits hold.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isTooFar) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    guard !overflow, !isTooFar else { return seconds < 0 ? .min : .max }
    return sum
  }
}
