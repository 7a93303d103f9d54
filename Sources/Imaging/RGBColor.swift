/// A gamma-encoded sRGB colour without alpha, each channel from 0 to 1.
public struct RGBColor: Hashable, Sendable {
  /// The red channel, 0…1.
  public var red: Float
  /// The green channel, 0…1.
  public var green: Float
  /// The blue channel, 0…1.
  public var blue: Float

  /// Makes a colour of three channels, each 0…1.
  public init(red: Float, green: Float, blue: Float) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Makes a colour of three 8-bit channels packed as `0xRRGGBB`.
  public init(packed: UInt32) {
    self.init(
      red: Float(packed >> 16 & 0xff) / 255, green: Float(packed >> 8 & 0xff) / 255,
      blue: Float(packed & 0xff) / 255)
  }

  /// The channels rounded to 8 bits and packed as `0xRRGGBB`.
  public var packed: UInt32 {
    func byte(_ value: Float) -> UInt32 { UInt32(min(max(value, 0), 1) * 255 + 0.5) }
    return byte(red) << 16 | byte(green) << 8 | byte(blue)
  }

  /// The channels as a vector (red, green, blue).
  public var channels: SIMD3<Float> { SIMD3(red, green, blue) }

  /// Makes a colour of a vector (red, green, blue), each channel clamped to 0…1.
  public init(clamping channels: SIMD3<Float>) {
    let bounded = channels.clamped(lowerBound: .zero, upperBound: .one)
    self.init(red: bounded.x, green: bounded.y, blue: bounded.z)
  }
}

extension RGBColor: LosslessStringConvertible {
  /// Reads a CSS colour name, `#rgb`, `#rrggbb` or `0xRRGGBB`, in any case.
  ///
  /// Source: CSS Color Module Level 4, §5.2 (hexadecimal notation) and §6.1 (named colours).
  public init?(_ description: String) {
    let text = description.lowercased()
    if let named = CSSColorNames.packed[text] {
      self.init(packed: named)
    } else if text.hasPrefix("#") {
      self.init(hexadecimal: text.dropFirst())
    } else if text.hasPrefix("0x"), text.utf8.count == 8 {
      self.init(hexadecimal: text.dropFirst(2))
    } else {
      return nil
    }
  }

  private init?(hexadecimal digits: Substring) {
    guard digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else { return nil }
    switch digits.utf8.count {
    case 6: self.init(packed: value)
    case 3:
      let nibbles = (value & 0xf00) << 8 | (value & 0x0f0) << 4 | value & 0x00f
      self.init(packed: nibbles * 0x11)
    default: return nil
    }
  }

  /// The canonical form `#rrggbb`, in lower case, rounded to 8 bits a channel.
  public var description: String {
    let digits = String(packed, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
