import Commands
import Imaging

/// `keymill filters`: the catalogue of still filters.
struct FiltersCommand: Command {
  static let name = "filters"
  static let summary = "List the still filters, or explain one"
  static let examples = [
    Example("keymill filters", "all of them"), Example("keymill filters sepia", "its parameters"),
  ]

  @Argument(help: "The filter to explain.")
  var filter: String?
  @Flag(help: "Print JSON.")
  var json: Bool

  func validate() throws {
    guard let filter, FilterCatalogue.filter(named: filter) == nil else { return }
    throw UsageError(
      "unknown filter '\(filter)'", suggestion: FilterCatalogue.nearestName(to: filter))
  }

  func run() throws {
    guard let found = filter.flatMap(FilterCatalogue.filter(named:)) else {
      if json { return try Output.json(FilterCatalogue.all.map(FilterJSON.init)) }
      var table = TextTable(["FILTER", "WHAT IT DOES"])
      for filter in FilterCatalogue.all { table.add([filter.name, filter.summary]) }
      return table.lines.forEach(Output.result)
    }
    if json { return try Output.json(FilterJSON(found)) }
    explain(found)
  }

  private func explain(_ filter: FilterDeclaration) {
    Output.result("\(filter.name): \(filter.summary)")
    if !filter.pictures.isEmpty {
      Output.result("")
      Output.result("Takes \"pictures\": \(filter.pictures.joined(separator: ", ")).")
    }
    guard !filter.parameters.isEmpty else { return }
    Output.result("")
    var table = TextTable(["PARAMETER", "DEFAULT", "RANGE", "UNIT"])
    for parameter in filter.parameters {
      table.add([
        parameter.name, parameter.defaultText, parameter.rangeText, parameter.unit,
      ])
    }
    table.lines.forEach(Output.result)
  }
}

/// A filter as keymill shows it to programs.
private struct FilterJSON: Encodable {
  struct Parameter: Encodable {
    let name: String
    let `default`: String
    let range: String
    let unit: String
  }

  let name: String
  let summary: String
  let parameters: [Parameter]
  let pictures: [String]

  init(_ filter: FilterDeclaration) {
    name = filter.name
    summary = filter.summary
    pictures = filter.pictures
    parameters = filter.parameters.map {
      Parameter(
        name: $0.name, default: $0.defaultText, range: $0.rangeText, unit: $0.unit)
    }
  }
}

extension FilterParameter {
  /// The default, or that the picture decides.
  fileprivate var defaultText: String { defaultValue.map { "\($0)" } ?? "by the picture" }

  /// The numbers or words that are allowed, such as `0…4` or `from 0`.
  fileprivate var rangeText: String {
    if case .choice(let words) = kind { return words.joined(separator: ", ") }
    return switch (range.lowerBound.isFinite, range.upperBound.isFinite) {
    case (true, true): "\(Self.text(range.lowerBound))…\(Self.text(range.upperBound))"
    case (true, false): "from \(Self.text(range.lowerBound))"
    case (false, true): "to \(Self.text(range.upperBound))"
    case (false, false): "any"
    }
  }

  private static func text(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }
}
