import Glibc

/// The window of Julius von Hann: half a period of a cosine, so that what a piece of sound is cut off
/// from does not show in its spectrum.
enum HannWindow {
  /// The window of `size` samples, 0 at its first.
  static func make(_ size: Int) -> [Float] {
    (0..<size).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(size))) }
  }
}
