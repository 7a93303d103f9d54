/// Filters that mix the colour channels of a pixel.
extension FilterCatalogue {
  static let colorFilters = [
    FilterDeclaration(
      name: "sepia",
      summary: "Tints the picture brown, as an old print.",
      source: "GPUImage SepiaFilter",
      parameters: [.number("intensity", default: 1, in: 0...1, unit: "fraction")]
    ) { arguments in
      .point(ColorMatrix.sepia.mixed(with: .identity, by: arguments.number("intensity")))
    },
    FilterDeclaration(
      name: "saturation",
      summary: "Draws the colours towards grey, or away from it.",
      source: "GPUImage SaturationFilter",
      parameters: [.number("saturation", default: 1, in: 0...2, unit: "factor")]
    ) { arguments in
      .point(ColorMatrix.identity.mixed(with: .luminance, by: arguments.number("saturation")))
    },
  ]
}

/// A linear map of red, green and blue.
struct ColorMatrix: PointFilter {
  /// The weights of (red, green, blue) in each channel of the result.
  var red: SIMD3<Float>
  var green: SIMD3<Float>
  var blue: SIMD3<Float>

  static let identity = ColorMatrix(
    red: SIMD3(1, 0, 0), green: SIMD3(0, 1, 0), blue: SIMD3(0, 0, 1))

  static let sepia = ColorMatrix(
    red: SIMD3(0.3588, 0.7044, 0.1368), green: SIMD3(0.2990, 0.5870, 0.1140),
    blue: SIMD3(0.2392, 0.4696, 0.0912))

  /// Grey of GPUImage's luminance, near that of BT.709.
  static let luminance = ColorMatrix(
    red: SIMD3(0.2125, 0.7154, 0.0721), green: SIMD3(0.2125, 0.7154, 0.0721),
    blue: SIMD3(0.2125, 0.7154, 0.0721))

  /// `share` of this matrix and the rest of the other; more than 1 goes beyond this one.
  func mixed(with other: ColorMatrix, by share: Float) -> ColorMatrix {
    ColorMatrix(
      red: red * share + other.red * (1 - share), green: green * share + other.green * (1 - share),
      blue: blue * share + other.blue * (1 - share))
  }

  func apply(to tile: inout ColorTile) {
    tile.mapColors { r, g, b in
      (
        r * red.x + g * red.y + b * red.z,
        r * green.x + g * green.y + b * green.z,
        r * blue.x + g * blue.y + b * blue.z
      )
    }
  }
}
