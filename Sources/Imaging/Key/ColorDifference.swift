/// The colour-difference matte: how much of the screen's own hue a colour has.
///
/// The screen's *strong* channels are those above the middle of its greatest and least: green for a
/// green screen, red and blue for a magenta one. A colour's excess is its weakest strong channel less
/// its strongest other channel; the screen has all of it, a foreground of another hue none, and a
/// mixture of the two its share. Excess is a difference of channels, so it does not depend on luma.
///
/// Source: the principle of P. Vlahos, US 3 595 987 (1971); for several strong channels min(R, B) − G
/// and the like, as in two-channel despill.
struct ColorDifference: Hashable, Sendable {
  /// Below this share of the screen's excess a colour is foreground, above that one it is screen:
  /// the clip that gave the least composite error on known scenes, clean and dirty, at CRF 18.
  private static let clip: (foreground: Float, screen: Float) = (0.15, 0.9)

  /// Added to the channels that are not strong, and taken off those that are, so that neither is ever
  /// the least or the greatest: a choice of channels without a branch.
  private let weakOffset: SIMD3<Float>
  private let strongOffset: SIMD3<Float>
  private let scale: Float

  /// Measures the share of the screen `key`; `nil` where its colour is too grey to have a hue.
  init?(screen key: SIMD3<Float>) {
    let isStrong = key .> (key.max() + key.min()) / 2
    weakOffset = SIMD3(repeating: 8).replacing(with: 0, where: isStrong)
    strongOffset = SIMD3(repeating: 0).replacing(with: 8, where: isStrong)
    let excess = Self.excess(of: key, weakOffset, strongOffset)
    guard excess > 0.1 else { return nil }
    scale = 1 / excess
  }

  /// Whether red, green and blue are strong channels of the screen.
  var isStrong: SIMDMask<SIMD3<Int32>> { weakOffset .== 0 }

  /// How far a colour leans to the screen's hue; negative where it leans away.
  @inline(__always)
  func excess(red: Float, green: Float, blue: Float) -> Float {
    Self.excess(of: SIMD3(red, green, blue), weakOffset, strongOffset)
  }

  @inline(__always)
  private static func excess(
    of rgb: SIMD3<Float>, _ weakOffset: SIMD3<Float>, _ strongOffset: SIMD3<Float>
  ) -> Float {
    let strong = least(rgb.x + weakOffset.x, rgb.y + weakOffset.y, rgb.z + weakOffset.z)
    return strong
      - greatest(rgb.x - strongOffset.x, rgb.y - strongOffset.y, rgb.z - strongOffset.z)
  }

  /// The share of the foreground in a colour, 0…1.
  @inline(__always)
  func coverage(red: Float, green: Float, blue: Float) -> Float {
    let share = excess(red: red, green: green, blue: blue) * scale
    return clampedToUnit((Self.clip.screen - share) / (Self.clip.screen - Self.clip.foreground))
  }

  @inline(__always)
  private static func least(_ a: Float, _ b: Float, _ c: Float) -> Float {
    let least = a < b ? a : b
    return least < c ? least : c
  }

  @inline(__always)
  private static func greatest(_ a: Float, _ b: Float, _ c: Float) -> Float {
    let greatest = a > b ? a : b
    return greatest > c ? greatest : c
  }
}
