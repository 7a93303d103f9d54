/// Filters that make the picture look drawn or painted.
extension FilterCatalogue {
  static let styliseFilters = [
    FilterDeclaration(
      "toon", "Draws edges of the red channel black, and paints the rest in few colours.",
      like: "ToonFilter", toonParameters
    ) { .rows(Toon($0)) },
    FilterDeclaration(
      "smooth-toon", "Blurs, then draws edges black and paints the rest in few colours.",
      like: "SmoothToonFilter", [.sigma(default: 2)] + toonParameters
    ) { .sequence([.rows(Blur($0.gaussianBlur)), .rows(Toon($0))]) },
    FilterDeclaration(
      "kuwahara", "Smooths but for the edges, as brush strokes do; opaque.", like: "KuwaharaFilter",
      [
        .integer(
          "radius", default: 3, in: 1...32, unit: "taps",
          "How large the areas of one colour become.")
      ]
    ) { .rows(Kuwahara(radius: $0.integer("radius"))) },
    FilterDeclaration(
      "kuwahara-radius3", "Smooths but for the edges, with a radius of 3 taps; opaque.",
      like: "KuwaharaRadius3Filter"
    ) { _ in .rows(Kuwahara(radius: 3)) },
  ]

  private static let toonParameters: [FilterParameter] = [
    .edgeThreshold(default: 0.2),
    .number(
      "quantizationLevels", default: 10, from: 1, unit: "steps of each channel",
      "How many shades each channel keeps."),
  ]
}
