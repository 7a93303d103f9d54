/// Filters that draw the edges in the picture, or what is darker than its surroundings.
///
/// All but the local binary patterns work on the luminance, in 8 bits.
extension FilterCatalogue {
  static let edgeFilters: [FilterDeclaration] =
    gradientFilters + [
      FilterDeclaration(
        "canny-edge", "Draws edges as thin white lines.", like: "CannyEdgeDetectionFilter",
        [
          .sigma(default: 2),
          .number("upperThreshold", default: 0.4, in: 0...1, unit: "steepness"),
          .number("lowerThreshold", default: 0.1, in: 0...1, unit: "steepness"),
        ]
      ) { arguments in
        .sequence([
          .matrix(.luminance), .rows(Blur(arguments.gaussianBlur)), .rows(CannyGradient()),
          .rows(
            CannyThinning(
              low: arguments.number("lowerThreshold"), high: arguments.number("upperThreshold"))),
          .rows(CannyInclusion()),
        ])
      },
      FilterDeclaration(
        "adaptive-threshold",
        "Makes white what is no darker than its surroundings, the rest black.",
        like: "AdaptiveThresholdFilter", [.number("blurRadiusInPixels", default: 4, in: 0...1000, unit: "pixels, made even")]
    ) { arguments in
      let radius = 2 * Int((arguments.number("blurRadiusInPixels") / 2).rounded())
      let blur = Blur(BlurPlan(boxOfRadius: radius), mix: AdaptiveThreshold())
      return .sequence([.matrix(.luminance), .rows(blur)])
    },
    FilterDeclaration(
        "local-binary-pattern", "Shows for each red value which neighbours are no less, as bits.",
        like: "LocalBinaryPatternFilter"
      ) { _ in .rows(LocalBinaryPattern()) },
      FilterDeclaration(
        "color-local-binary-pattern",
        "Shows for each channel which neighbours are no less, as bits; green and blue exchanged.",
        like: "ColorLocalBinaryPatternFilter"
      ) { _ in .rows(ColorLocalBinaryPattern()) },
    ]

  private static let gradientFilters: [FilterDeclaration] = [
    .edges(
      "sobel-edge", "Draws edges bright on black.", like: "SobelEdgeDetectionFilter",
      SobelKernel.self
    ) { _ in BrightEdges() },
    .edges(
      "prewitt-edge", "Draws edges bright on black, those aslant as strong as the others.",
      like: "PrewittEdgeDetectionFilter", PrewittKernel.self
    ) { _ in BrightEdges() },
    .edges(
      "threshold-edge", "Draws edges white on black.", like: "ThresholdEdgeDetectionFilter",
      CrossKernel.self, [.edgeThreshold(default: 0.25)]
    ) { WhiteEdges(threshold: $0.number("threshold")) },
    .edges(
      "sketch", "Draws edges dark on white, as with a pencil.", like: "SketchFilter",
      SobelKernel.self
    ) { _ in DarkEdges() },
    .edges(
      "threshold-sketch", "Draws edges black on white, as with ink.", like: "ThresholdSketchFilter",
      SobelKernel.self, [.edgeThreshold(default: 0.25)]
    ) { BlackEdges(threshold: $0.number("threshold")) },
  ]
}

extension FilterDeclaration {
  /// Declares a filter that draws gradients of the luminance.
  fileprivate static func edges<Kernel: GradientKernel, Tone: EdgeTone>(
    _ name: String, _ summary: String, like class: String, _ kernel: Kernel.Type,
    _ parameters: [FilterParameter] = [],
    tone: @escaping @Sendable (FilterArguments) -> Tone
  ) -> FilterDeclaration {
    let step = "pixel if not given; fraction of the"
    return FilterDeclaration(
      name, summary, like: `class`,
      parameters + [
        .number("edgeStrength", default: 1, from: 0, unit: "factor"),
        .number("texelWidth", default: nil, in: 0...1, unit: "\(step) width"),
        .number("texelHeight", default: nil, in: 0...1, unit: "\(step) height"),
      ]
    ) { arguments in
      let (strength, tone) = (arguments.number("edgeStrength"), tone(arguments))
      let across = arguments.optionalNumber("texelWidth")
      let down = arguments.optionalNumber("texelHeight")
      let edges: FilterOperation =
        across == nil && down == nil
        ? .rows(GradientEdge<Kernel, Tone>(strength: strength, tone: tone))
        : .picture(
          SpacedGradientEdge<Kernel, Tone>(
            strength: strength, tone: tone, stepAcross: across, stepDown: down))
      return .sequence([.matrix(.luminance), edges])
    }
  }
}

extension FilterParameter {
  /// Declares how steep an edge is at least.
  static func edgeThreshold(default value: Double) -> FilterParameter {
    .number("threshold", default: value, in: 0...1, unit: "steepness, 1 from black to white")
  }
}
