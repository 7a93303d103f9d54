internal import Glibc

/// Levels in decibels, 0 as full scale.
public enum Decibels {
  /// The level of an amplitude; minus infinity for 0.
  public static func level(of amplitude: Double) -> Double { 20 * log10(amplitude) }

  /// The amplitude of a level.
  public static func amplitude(of level: Double) -> Double { pow(10, level / 20) }
}
