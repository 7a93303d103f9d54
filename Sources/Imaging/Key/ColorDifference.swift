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
  /// Below this share of the screen's excess a colour is foreground, above that one it is screen: the
  /// noise of a codec at either end.
  private static let clip: (foreground: Float, screen: Float) = (0.02, 0.97)

  /// Added to the channels that are not strong, and taken off those that are, so that neither is ever
  /// the least or the greatest, in steps of 1/255 or of 1: a choice of channels without a branch.
  private let weakOffset: SIMD3<Float>
  private let strongOffset: SIMD3<Float>
  private let scale: Float

  /// Measures the share of the screen `key`; `nil` where its colour is too grey to have a hue.
  init?(screen key: SIMD3<Float>) {
    let middle = (key.max() + key.min()) / 2
    let isStrong = key .> middle
    let weakest = key.replacing(with: 1024, where: .!isStrong).min()
    let strongest = key.replacing(with: 0, where: isStrong).max()
    guard key.max() > key.min(), weakest - strongest > 0.1 else { return nil }
    weakOffset = SIMD3(repeating: 1024).replacing(with: 0, where: isStrong)
    strongOffset = SIMD3(repeating: 0).replacing(with: 1024, where: isStrong)
    scale = 1 / (weakest - strongest)
  }

  /// Coverage is `start − slope·excess`, clamped to 0…1; excess in the same steps as 1.
  var line: (start: Float, slope: Float) {
    let height = 1 / (Self.clip.screen - Self.clip.foreground)
    return (Self.clip.screen * height, scale * height)
  }

  /// Whether red, green and blue are strong channels of the screen.
  var isStrong: SIMDMask<SIMD3<Int32>> { weakOffset .== 0 }

  /// How far a colour leans to the screen's hue; negative where it leans away.
  @inline(always)
  func excess(red: Float, green: Float, blue: Float) -> Float {
    least(red + weakOffset.x, green + weakOffset.y, blue + weakOffset.z)
      - greatest(red - strongOffset.x, green - strongOffset.y, blue - strongOffset.z)
  }

  /// The share of the foreground in a colour, 0…1.
  @inline(always)
  func coverage(red: Float, green: Float, blue: Float) -> Float {
    let share = excess(red: red, green: green, blue: blue) * scale
    return clampedToUnit((Self.clip.screen - share) / (Self.clip.screen - Self.clip.foreground))
  }

  @inline(always)
  private func least(_ a: Float, _ b: Float, _ c: Float) -> Float {
    let least = a < b ? a : b
    return least < c ? least : c
  }

  @inline(always)
  private func greatest(_ a: Float, _ b: Float, _ c: Float) -> Float {
    let greatest = a > b ? a : b
    return greatest > c ? greatest : c
  }
}
