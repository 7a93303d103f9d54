internal import Glibc

/// Filters that map each colour channel by itself.
extension FilterCatalogue {
  static let toneFilters = [
    FilterDeclaration(
      name: "contrast",
      summary: "Spreads the channels about middle grey.",
      source: "GPUImage ContrastFilter",
      parameters: [.number("contrast", default: 1, in: 0...4, unit: "factor")]
    ) { arguments in
      let factor = arguments.number("contrast")
      return .curve { ($0 - 0.5) * factor + 0.5 }
    },
    FilterDeclaration(
      name: "gamma",
      summary: "Raises the channels to a power.",
      source: "GPUImage GammaFilter",
      parameters: [.number("gamma", default: 1, in: 0...3, unit: "exponent")]
    ) { arguments in
      let exponent = arguments.number("gamma")
      return .curve { powf($0, exponent) }
    },
  ]
}
