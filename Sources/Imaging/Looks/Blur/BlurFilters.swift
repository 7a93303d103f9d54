/// Filters that blur the whole picture evenly.
extension FilterCatalogue {
  static let blurFilters = [
    FilterDeclaration(
      "gaussian-blur", "Blurs as a lens out of focus does.", like: "GaussianBlurFilter",
      [
        .sigma(default: 2),
        .number(
          "texelSpacingMultiplier", default: 1, in: 0...16, unit: "factor on distances",
          "Spreads the samples of the blur."),
      ]
    ) { arguments in
      let kernel = BlurKernel.gaussian(
        sigma: Double(arguments.number("blurRadiusInPixels")),
        spacing: Double(arguments.number("texelSpacingMultiplier")))
      return .rows(Blur(BlurPlan(kernel)))
    },
    FilterDeclaration(
      "single-component-gaussian-blur", "Blurs the red channel, and shows it in gray.",
      like: "SingleComponentGaussianBlurFilter", [.sigma(default: 2)]
    ) { arguments in
      .rows(Blur(arguments.gaussianBlur, mix: RedAsGray()))
    },
    FilterDeclaration(
      "box-blur", "Makes each pixel the mean of a square around it.", like: "BoxBlurFilter",
      [
        .number(
          "blurRadiusInPixels", default: 4, in: 0...1000, unit: "pixels, made even",
          "How far the blur reaches; 0 leaves the picture sharp.")
      ]
    ) { arguments in
      let half = Int((arguments.number("blurRadiusInPixels") / 2).rounded())
      return .rows(Blur(BlurPlan(boxOfRadius: 2 * half)))
    },
  ]
}

extension FilterParameter {
  /// Declares the strength of a Gaussian blur.
  static func sigma(default value: Double) -> FilterParameter {
    .number(
      "blurRadiusInPixels", default: value, in: 0...BlurKernel.greatestSigma,
      unit: "pixels, standard deviation, rounded",
      "How far the blur reaches; 0 leaves the picture sharp.")
  }
}

extension FilterArguments {
  /// The blur that a parameter declared by `sigma(default:)` asks for.
  var gaussianBlur: BlurPlan {
    BlurPlan(.gaussian(sigma: Double(number("blurRadiusInPixels"))))
  }
}

/// The red channel in all three, opaque.
struct RedAsGray: BlurMix {
  @inline(__always)
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32> {
    let red = blurred & SIMD8(repeating: 0xff)
    return red | red &<< 8 | red &<< 16 | SIMD8(repeating: 0xff00_0000)
  }
}
