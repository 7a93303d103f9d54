/// Filters that let bright or dark shapes grow.
///
/// Those without `rgb` show the red channel in gray, as GPUImage's for black and white pictures do.
extension FilterCatalogue {
  static let morphologyFilters =
    morphology("dilation", "Lets bright shapes grow", like: "Dilation", [.greatest])
    + morphology("erosion", "Lets dark shapes grow", like: "Erosion", [.least])
    + morphology("opening", "Takes away small bright shapes", like: "Opening", [.least, .greatest])
    + morphology("closing", "Takes away small dark shapes", like: "Closing", [.greatest, .least])

  /// Declares a filter for the red channel, and one for all colours.
  private static func morphology(
    _ name: String, _ summary: String, like class: String, _ extremes: [ExtremeFilter.Extreme]
  ) -> [FilterDeclaration] {
    let radius = FilterParameter.integer(
      "radius", default: 1, in: 1...4, unit: "pixels", "How far the square of pixels reaches.")
    func operation(
      _ channels: ExtremeFilter.Channels
    ) -> @Sendable (FilterArguments) -> FilterOperation {
      { arguments in
        let radius = arguments.integer("radius")
        return .sequence(
          extremes.map {
            .rows(ExtremeFilter(extreme: $0, radius: radius, channels: channels))
          })
      }
    }
    return [
      FilterDeclaration(
        name, summary + ", of the red channel in gray.", like: "\(`class`)Filter", [radius],
        operation: operation(.red)),
      FilterDeclaration(
        "rgb-\(name)", summary + ", channel by channel.", like: "RGB\(`class`)Filter", [radius],
        operation: operation(.colors)),
    ]
  }
}
