/// Filters that weigh the 3×3 pixels around each pixel.
extension FilterCatalogue {
  static let kernelFilters = [
    FilterDeclaration(
      "convolution-3x3", "Weighs the nine pixels around each one.", like: "3x3ConvolutionFilter",
      [
        .vector(
          "convolutionKernel", default: [0, 0, 0, 0, 1, 0, 0, 0, 0],
          unit: "weights row by row from the top", "The shares of a pixel and its eight neighbours."
        )
      ]
    ) { arguments in
      .rows(Convolution(weights: arguments.numbers("convolutionKernel")))
    },
    FilterDeclaration(
      "emboss", "Shows the picture as a relief, lit from the top left.", like: "EmbossFilter",
      [.number("intensity", default: 1, in: 0...4, unit: "factor", "How deep the relief is.")]
    ) { arguments in
      let e = arguments.number("intensity")
      return .rows(Convolution(weights: [-2 * e, -e, 0, -e, 1, e, 0, e, 2 * e]))
    },
    FilterDeclaration(
      "laplacian", "Shows fine detail on gray.", like: "LaplacianFilter"
    ) { _ in
      .rows(Convolution(weights: [0.5, 1, 0.5, 1, -6, 1, 0.5, 1, 0.5], bias: 0.5))
    },
    FilterDeclaration(
      "median", "Takes the median of the nine pixels around each one, channel by channel; opaque.",
      like: "MedianFilter"
    ) { _ in .rows(Median()) },
  ]
}
