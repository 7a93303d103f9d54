import struct FoundationEssentials.Date
import Platform

/// Where a cache reads the time; tests bring their own.
public struct CacheClock: Sendable {
  /// The time of day, in milliseconds since 1970 UTC: expiry and last use are written in it.
  public let wallMS: @Sendable () -> Int64
  /// The time since the machine started, in milliseconds: claims are written in it.
  public let bootMS: @Sendable () -> Int64

  /// Takes two clocks.
  public init(wallMS: @escaping @Sendable () -> Int64, bootMS: @escaping @Sendable () -> Int64) {
    self.wallMS = wallMS
    self.bootMS = bootMS
  }

  /// The machine's.
  public static let system = CacheClock(
    wallMS: { Date().millisecondsSince1970 }, bootMS: { BootClock.nowMS })
}
