import Imaging
import Recipes

/// The page `docs/filters.md`, made from the declarations of the filters.
///
/// `scripts/docs-filters` writes it with the pictures it shows.
struct FilterPage {
  private static let introduction = """
    # Filters

    Made by `make docs-filters` from the declarations in `Sources/Imaging/Looks`; do not edit. Each \
    picture shows the example beside it at work on `samples/photo.jpg`, and its name is the filter's.

    Filters stand in the list `filters` of a recipe's section `stills`, in the order in which they \
    work; [stills.md](stills.md) says how. `keymill filters NAME --preview FILE --input PICTURE` draws \
    one before and after. Values are in the range 0 (black, none) to 1 (white, all) of gamma-encoded \
    sRGB. Places are fractions of width and height from the top left corner.

    ![the photo without a filter](pictures/filters/original.jpg)
    """

  /// The page in Markdown.
  var text: String {
    ([Self.introduction] + FilterCatalogue.all.map(section)).joined(separator: "\n\n")
  }

  private func section(_ filter: FilterDeclaration) -> String {
    let example = FilterExample(of: filter)
    var parts = [
      "## \(filter.name)",
      filter.summary + (filter.source == "keymill" ? "" : " After \(filter.source)."),
      "![\(filter.name)](pictures/filters/\(filter.name).jpg)",
      "```json\n\(example.json)\n```",
    ]
    if !filter.pictures.isEmpty {
      parts.append("Takes `\"pictures\"`: \(filter.pictures.joined(separator: ", ")).")
    }
    if !filter.parameters.isEmpty { parts.append(table(filter.parameters)) }
    return parts.joined(separator: "\n\n")
  }

  private func table(_ parameters: [FilterParameter]) -> String {
    let rows = parameters.map { parameter in
      let cells = [
        "`\(parameter.name)`", parameter.summary, "`\(parameter.defaultText)`",
        parameter.rangeText, parameter.unit,
      ]
      return "| " + cells.joined(separator: " | ") + " |"
    }
    return (["| parameter | meaning | default | range | unit |", "|---|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }
}
