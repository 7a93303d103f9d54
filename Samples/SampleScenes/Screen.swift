/// The coloured screen that a scene is put before, to be keyed out again.
///
/// The mix is made on gamma-encoded values, as the tools that make such clips do it.
public struct Screen: Sendable {
  /// The colour in full light: red, green, blue.
  public let color: SIMD3<UInt8>
  /// How much darker the screen is in its worst corner, 0…1.
  public let unevenness: Float
  /// The standard deviation of the camera's noise, in 8-bit steps; it lies on everything.
  public let noise: Float

  /// Makes a screen of one colour; even and clean unless said otherwise.
  public init(color: SIMD3<UInt8>, unevenness: Float = 0, noise: Float = 0) {
    self.color = color
    self.unevenness = unevenness
    self.noise = noise
  }

  /// Pure magenta without a flaw: what a render program writes.
  public static let magenta = Screen(color: [255, 0, 255])
  /// A green cloth as a camera sees it: not quite pure, lit from the upper left, with grain.
  public static let greenCloth = Screen(color: [0x10, 0xD0, 0x30], unevenness: 0.12, noise: 1.5)

  /// The bytes R, G, B of each pixel of `picture` before this screen; the grain is drawn from the
  /// frame's number.
  public func rgb(behind picture: Picture, frame index: Int = 0) -> [UInt8] {
    var bytes = [UInt8]()
    bytes.reserveCapacity(picture.pixels.count * 3)
    let full = SIMD3<Float>(color)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let position = SIMD2(
          Float(x) / Float(picture.width), Float(y) / Float(picture.height))
        let pixel = picture[x, y]
        let alpha = Float(pixel.w) / 255
        var mixed = SIMD3<Float>(SIMD3(pixel.x, pixel.y, pixel.z)) * alpha
        mixed += full * (light(at: position) * (1 - alpha))
        if noise > 0 {
          mixed += grain(x: x, y: y, frame: index)
        }
        bytes.append(byte(mixed.x))
        bytes.append(byte(mixed.y))
        bytes.append(byte(mixed.z))
      }
    }
    return bytes
  }

  /// The light that falls on the screen, 1 at the lamp; `position` in 0…1 both ways.
  private func light(at position: SIMD2<Float>) -> Float {
    let lamp = SIMD2<Float>(0.3, 0.25)
    return 1 - unevenness * (position - lamp).length
  }

  private func grain(x: Int, y: Int, frame: Int) -> SIMD3<Float> {
    var random = SeededGenerator(x, y, frame)
    return SIMD3(random.normal(), random.normal(), random.normal()) * noise
  }
}
