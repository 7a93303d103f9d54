internal import Glibc

/// Filters that mix the colour channels of a pixel linearly.
extension FilterCatalogue {
  static let colorFilters = [
    FilterDeclaration(
      "sepia", "Tints the picture brown, as an old print.", like: "SepiaFilter",
      [
        .number(
          "intensity", default: 1, in: 0...1, unit: "fraction",
          "How much of the result is mixed in.")
      ]
    ) { arguments in
      .matrix(ColorMatrix.sepia.mixed(with: .identity, by: arguments.number("intensity")))
    },
    FilterDeclaration(
      "saturation", "Draws the colours towards grey, or away from it.", like: "SaturationFilter",
      [
        .number(
          "saturation", default: 1, in: 0...2, unit: "factor",
          "0 is grey, 1 leaves the colours, 2 doubles their distance from grey.")
      ]
    ) { arguments in
      .matrix(ColorMatrix.identity.mixed(with: .luminance, by: arguments.number("saturation")))
    },
    FilterDeclaration(
      "grayscale", "Takes the colour away.", like: "GrayscaleFilter"
    ) { _ in
      .matrix(.luminance)
    },
    FilterDeclaration(
      "rgb", "Multiplies each channel.", like: "RGBFilter",
      [
        .number("red", default: 1, from: 0, unit: "factor", "What red is multiplied by."),
        .number("green", default: 1, from: 0, unit: "factor", "What green is multiplied by."),
        .number("blue", default: 1, from: 0, unit: "factor", "What blue is multiplied by."),
      ]
    ) { arguments in
      .curve(
        ChannelFactors(
          factors: SIMD3(
            arguments.number("red"), arguments.number("green"), arguments.number("blue"))))
    },
    FilterDeclaration(
      "hue", "Turns the hues around the colour circle.", like: "HueFilter",
      [.number("hue", default: 90, in: 0...360, unit: "degrees", "How far the hues are turned.")]
    ) { arguments in
      .matrix(.hueRotation(by: arguments.number("hue") * (.pi / 180)))
    },
    FilterDeclaration(
      "color-matrix", "Maps red, green, blue and alpha by a matrix.", like: "ColorMatrixFilter",
      [
        .number(
          "intensity", default: 1, in: 0...1, unit: "fraction",
          "How much of the result is mixed in."),
        .vector(
          "colorMatrix", default: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
          unit: "four rows, one for each channel of the result",
          "Each row has the shares of red, green, blue and alpha."),
      ]
    ) { arguments in
      let filter = AlphaMatrix(
        arguments.numbers("colorMatrix"), intensity: arguments.number("intensity"))
      return filter.withoutAlpha.map { .matrix($0) } ?? .point(filter)
    },
  ]
}

/// Multiplies each channel.
struct ChannelFactors: ChannelFilter {
  let factors: SIMD3<Float>

  func value(_ value: Float, channel: Int) -> Float { value * factors[channel] }
}

extension ColorMatrix {
  static let sepia = ColorMatrix(
    red: SIMD3(0.3588, 0.7044, 0.1368), green: SIMD3(0.2990, 0.5870, 0.1140),
    blue: SIMD3(0.2392, 0.4696, 0.0912))

  /// Turns the chroma (I, Q) of YIQ clockwise by an angle in radians, as GPUImage's rounded matrices
  /// have it.
  ///
  /// The shader goes through the angle and length of (I, Q), which is the same.
  static func hueRotation(by angle: Float) -> ColorMatrix {
    let toYIQ = ColorMatrix(
      red: SIMD3(0.299, 0.587, 0.114), green: SIMD3(0.595716, -0.274453, -0.321263),
      blue: SIMD3(0.211456, -0.522591, 0.31135))
    let turn = ColorMatrix(
      red: SIMD3(1, 0, 0), green: SIMD3(0, cosf(angle), sinf(angle)),
      blue: SIMD3(0, -sinf(angle), cosf(angle)))
    let toRGB = ColorMatrix(
      red: SIMD3(1, 0.9563, 0.6210), green: SIMD3(1, -0.2721, -0.6474),
      blue: SIMD3(1, -1.1070, 1.7046))
    return toYIQ.followed(by: turn).followed(by: toRGB)
  }
}

/// A linear map of red, green, blue and alpha.
struct AlphaMatrix: PointFilter {
  /// The weights of all channels in each channel of the result.
  private let rows: [4 of SIMD4<Float>]

  static var changesAlpha: Bool { true }

  /// Takes `intensity` of a matrix, given row by row, and the rest of the unchanged colour.
  init(_ numbers: [Float], intensity: Float) {
    precondition(numbers.count == 16, "a matrix has 16 numbers")
    rows = [4 of SIMD4<Float>] { row in
      var unchanged = SIMD4<Float>.zero
      unchanged[row] = 1 - intensity
      let start = row * 4
      let weights = SIMD4(
        numbers[start], numbers[start + 1], numbers[start + 2], numbers[start + 3])
      return weights * intensity + unchanged
    }
  }

  /// The map of the colours, where alpha has no part in them and stays.
  var withoutAlpha: ColorMatrix? {
    guard rows[3] == SIMD4(0, 0, 0, 1), (0..<3).allSatisfy({ rows[$0].w == 0 }) else { return nil }
    func row(_ index: Int) -> SIMD3<Float> { SIMD3(rows[index].x, rows[index].y, rows[index].z) }
    return ColorMatrix(red: row(0), green: row(1), blue: row(2))
  }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    block = ColorBlock(
      red: Self.sum(block, rows[0]), green: Self.sum(block, rows[1]),
      blue: Self.sum(block, rows[2]), alpha: Self.sum(block, rows[3]))
  }

  @inline(__always)
  private static func sum(_ block: ColorBlock, _ weights: SIMD4<Float>) -> Lanes {
    let colors = block.red * Lanes(weights.x) + block.green * Lanes(weights.y)
    return colors + block.blue * Lanes(weights.z) + block.alpha * Lanes(weights.w)
  }
}
