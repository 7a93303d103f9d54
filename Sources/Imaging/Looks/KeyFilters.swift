/// Filters that make a colour transparent.
extension FilterCatalogue {
  static let keyFilters = [
    FilterDeclaration(
      name: "chroma-key",
      summary: "Makes pixels near a colour transparent; their colour stays.",
      source: "GPUImage ChromaKeyFilter",
      parameters: [
        .number("thresholdSensitivity", default: 0.4, in: 0...1, unit: "chroma distance"),
        .number("smoothing", default: 0.1, in: 0...1, unit: "chroma distance"),
        .color("colorToReplace", default: [0, 1, 0]),
      ]
    ) { arguments in
      .point(
        ChromaKeyFilter(
          distance: ChromaDistance(from: arguments.color("colorToReplace")),
          ramp: KeyRamp(
            threshold: arguments.number("thresholdSensitivity"),
            smoothing: arguments.number("smoothing"))))
    }
  ]
}

/// Multiplies alpha by the ramp over the chroma distance from one colour.
struct ChromaKeyFilter: PointFilter {
  let distance: ChromaDistance
  let ramp: KeyRamp

  func apply(to tile: inout ColorTile) {
    tile.mapAlpha { r, g, b, alpha in
      alpha * ramp.coverage(at: distance(red: r, green: g, blue: b))
    }
  }
}
