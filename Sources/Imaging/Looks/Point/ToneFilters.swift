internal import Glibc

/// Filters that map each colour channel by itself.
extension FilterCatalogue {
  static let toneFilters = [
    FilterDeclaration(
      "contrast", "Spreads the channels about middle grey.", like: "ContrastFilter",
      [
        .number(
          "contrast", default: 1, in: 0...4, unit: "factor",
          "The distance from middle grey is multiplied by it.")
      ]
    ) { arguments in
      .curve(ChannelFunction(arguments.number("contrast")) { ($1 - 0.5) * $0 + 0.5 })
    },
    FilterDeclaration(
      "gamma", "Raises the channels to a power.", like: "GammaFilter",
      [
        .number(
          "gamma", default: 1, in: 0...3, unit: "exponent",
          "The power: below 1 lightens the middle tones, above 1 darkens them.")
      ]
    ) { arguments in
      .curve(ChannelFunction(arguments.number("gamma")) { powf($1, $0) })
    },
    FilterDeclaration(
      "brightness", "Adds the same to all channels.", like: "BrightnessFilter",
      [
        .number(
          "brightness", default: 0, in: -1...1, unit: "added value, 1 is white",
          "What is added to each channel; below 0 darkens.")
      ]
    ) { arguments in
      .curve(ChannelFunction(arguments.number("brightness")) { $1 + $0 })
    },
    FilterDeclaration(
      "exposure", "Lightens or darkens as a longer or shorter exposure.", like: "ExposureFilter",
      [
        .number(
          "exposure", default: 0, in: -10...10, unit: "stops", "Each stop doubles the channels.")
      ]
    ) { arguments in
      .curve(ChannelFunction(exp2f(arguments.number("exposure"))) { $1 * $0 })
    },
    FilterDeclaration(
      "color-invert", "Makes a negative.", like: "ColorInvertFilter"
    ) { _ in
      .curve(ChannelFunction(1) { $0 - $1 })
    },
    FilterDeclaration(
      "levels", "Stretches a range of each channel to another, with a gamma between.",
      like: "LevelsFilter",
      [
        .vector(
          "min", default: [0, 0, 0], in: 0...1, unit: "red, green, blue that become minOut",
          "What becomes the least value, by channel."),
        .vector(
          "gamma", default: [1, 1, 1], in: 0...10, unit: "exponent divisors",
          "Above 1 lightens the middle tones, by channel."),
        .vector(
          "max", default: [1, 1, 1], in: 0...1, unit: "red, green, blue that become maxOut",
          "What becomes the greatest value, by channel."),
        .vector(
          "minOut", default: [0, 0, 0], in: 0...1, unit: "red, green, blue",
          "The least value of the result, by channel."),
        .vector(
          "maxOut", default: [1, 1, 1], in: 0...1, unit: "red, green, blue",
          "The greatest value of the result, by channel."),
      ]
    ) { arguments in
      .curve(
        Levels(
          low: arguments.color("min"), gamma: arguments.color("gamma"),
          high: arguments.color("max"), lowOut: arguments.color("minOut"),
          highOut: arguments.color("maxOut")))
    },
    FilterDeclaration(
      "tone-curve", "Maps the channels by curves through points.", like: "ToneCurveFilter",
      [
        .curve("rgbCompositeControlPoints", "The curve of all channels, after their own."),
        .curve("redControlPoints", "The curve of red."),
        .curve("greenControlPoints", "The curve of green."),
        .curve("blueControlPoints", "The curve of blue."),
      ]
    ) { arguments in
      .curve(
        ToneCurve(
          composite: arguments.curve("rgbCompositeControlPoints"),
          channels: [
            arguments.curve("redControlPoints"), arguments.curve("greenControlPoints"),
            arguments.curve("blueControlPoints"),
          ]))
    },
  ]
}

/// One function for all channels, with a parameter.
struct ChannelFunction: ChannelFilter {
  private let parameter: Float
  private let function: @Sendable (_ parameter: Float, _ value: Float) -> Float

  init(
    _ parameter: Float,
    _ function: @escaping @Sendable (_ parameter: Float, _ value: Float) -> Float
  ) {
    self.parameter = parameter
    self.function = function
  }

  func value(_ value: Float, channel: Int) -> Float { function(parameter, value) }
}

/// Stretches low…high to lowOut…highOut, with the exponent 1/gamma between.
///
/// Where low and high are the same, values above it become white, where the shader divides by zero.
struct Levels: ChannelFilter {
  let low: SIMD3<Float>
  let gamma: SIMD3<Float>
  let high: SIMD3<Float>
  let lowOut: SIMD3<Float>
  let highOut: SIMD3<Float>

  func value(_ value: Float, channel: Int) -> Float {
    let above = max(value - low[channel], 0)
    let share = min(above / (high[channel] - low[channel]), 1)
    let curved = powf(clampedToUnit(share), 1 / gamma[channel])
    return lowOut[channel] * (1 - curved) + highOut[channel] * curved
  }
}
