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
          .number(
            "upperThreshold", default: 0.4, in: 0...1, unit: "steepness",
            "Steeper edges than this are drawn in full."),
          .number(
            "lowerThreshold", default: 0.1, in: 0...1, unit: "steepness",
            "Less steep edges than this are left out."),
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
        like: "AdaptiveThresholdFilter",
        [
          .number(
            "blurRadiusInPixels", default: 4, in: 0...1000, unit: "pixels, made even",
            "How large the surroundings are.")
        ]
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
      "sobel-edge", "Draws edges bright on black.", like: "SobelEdgeDetectionFilter"
    ) { arguments, taps in SobelEdges(taps: taps) },
    .edges(
      "prewitt-edge", "Draws edges bright on black, those aslant as strong as the others.",
      like: "PrewittEdgeDetectionFilter"
    ) { arguments, taps in PrewittEdges(taps: taps) },
    .edges(
      "threshold-edge", "Draws edges white on black.", like: "ThresholdEdgeDetectionFilter",
      [.edgeThreshold(default: 0.25)]
    ) { arguments, taps in WhiteEdges(taps: taps, threshold: arguments.number("threshold")) },
    .edges(
      "sketch", "Draws edges dark on white, as with a pencil.", like: "SketchFilter"
    ) { arguments, taps in PencilEdges(taps: taps) },
    .edges(
      "threshold-sketch", "Draws edges black on white, as with ink.", like: "ThresholdSketchFilter",
      [.edgeThreshold(default: 0.25)]
    ) { arguments, taps in InkEdges(taps: taps, threshold: arguments.number("threshold")) },
  ]
}

extension FilterDeclaration {
  /// Declares a filter that draws gradients of the luminance.
  fileprivate static func edges<Drawing: EdgeDrawing>(
    _ name: String, _ summary: String, like class: String, _ parameters: [FilterParameter] = [],
    drawing: @escaping @Sendable (FilterArguments, EdgeTaps) -> Drawing
  ) -> FilterDeclaration {
    FilterDeclaration(
      name, summary, like: `class`,
      parameters + [
        .number(
          "edgeStrength", default: 1, from: 0, unit: "factor",
          "What the steepness is multiplied by."),
        .number(
          "texelWidth", default: nil, in: 0...1, unit: "fraction of the width, or a pixel",
          "How far apart columns are compared."),
        .number(
          "texelHeight", default: nil, in: 0...1, unit: "fraction of the height, or a pixel",
          "How far apart rows are compared."),
      ]
    ) { arguments in
      let taps = EdgeTaps(
        strength: arguments.number("edgeStrength"), across: arguments.optionalNumber("texelWidth"),
        down: arguments.optionalNumber("texelHeight"))
      let drawing = drawing(arguments, taps)
      return .sequence([
        .matrix(.luminance), taps.areNeighbors ? .rows(drawing) : .picture(drawing),
      ])
    }
  }
}

extension FilterParameter {
  /// Declares how steep an edge is at least.
  static func edgeThreshold(default value: Double) -> FilterParameter {
    .number(
      "threshold", default: value, in: 0...1, unit: "steepness, 1 from black to white",
      "How steep an edge has to be to be drawn.")
  }
}
