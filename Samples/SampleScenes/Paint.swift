/// A colour: red, green and blue in 0…1, gamma-encoded.
typealias Color = SIMD3<Float>

extension SIMD3<Float> {
  /// The colour that `0xRRGGBB` names.
  init(hex: UInt32) {
    self = SIMD3(Float(hex >> 16 & 255), Float(hex >> 8 & 255), Float(hex & 255)) / 255
  }
}

/// What a shape is filled with: one colour, or a blend along a line or away from a point.
enum Paint {
  case solid(Color)
  case linear(from: Color, to: Color, start: Point, end: Point)
  case radial(inner: Color, outer: Color, center: Point, radius: Float)

  /// The one colour that `0xRRGGBB` names.
  static func hex(_ code: UInt32) -> Paint {
    .solid(Color(hex: code))
  }

  func color(at point: Point) -> Color {
    switch self {
    case .solid(let color):
      return color
    case .linear(let from, let to, let start, let end):
      let line = end - start
      return mix(from, to, clamp((point - start).dot(line) / line.dot(line)))
    case .radial(let inner, let outer, let center, let radius):
      return mix(inner, outer, smoothstep(0, 1, (point - center).length / radius))
    }
  }
}
