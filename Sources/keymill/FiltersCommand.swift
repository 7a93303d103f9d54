import Commands
import Imaging
import Media
import Recipes

/// `keymill filters`: the catalogue of still filters.
struct FiltersCommand: Command {
  static let name = "filters"
  static let summary = "List the still filters, or explain one"
  static let examples = [
    Example("keymill filters", "all of them"),
    Example("keymill filters sepia", "its parameters"),
    Example("keymill filters sepia --preview sepia.jpg --input photo.jpg", "before and after"),
  ]

  @Argument(help: "The filter to explain.")
  var filter: String?
  @Option(help: "Draw the filter's work into this .jpg or .png file.", valueName: "file")
  var preview: String?
  @Option(help: "The picture to draw; without it one is made up.", valueName: "picture")
  var input: String?
  @Option(
    name: .customLong("with"),
    help: "Parameters for the preview, as in a recipe: '{\"intensity\": 1}'.",
    valueName: "json")
  var parameters: String?
  @Option(help: "The longest side of a picture of the preview.", valueName: "pixels")
  var size: Int = 480
  @Flag(help: "Draw the result alone.")
  var after: Bool
  @Flag(help: "Print the page of all filters.", hidden: true)
  var markdown: Bool
  @Flag(help: "Print JSON.")
  var json: Bool

  func validate() throws {
    if let filter, FilterCatalogue.filter(named: filter) == nil {
      throw UsageError(
        "unknown filter '\(filter)'", suggestion: FilterCatalogue.nearestName(to: filter))
    }
    guard preview == nil || filter != nil else {
      throw UsageError("--preview needs the name of a filter")
    }
    guard preview != nil || (input == nil && parameters == nil && !after) else {
      throw UsageError("--input, --with and --after go with --preview")
    }
    guard (32...8192).contains(size) else { throw UsageError("--size goes from 32 to 8192") }
    _ = try preview.map(PictureOutput.init)
  }

  func run() throws {
    guard let found = filter.flatMap(FilterCatalogue.filter(named:)) else { return try list() }
    if let preview { return try draw(found, to: PictureOutput(preview)) }
    if json { return try Output.json(FilterJSON(found)) }
    explain(found)
  }

  private func list() throws {
    if markdown { return Output.result(FilterPage().text) }
    if json { return try Output.json(FilterCatalogue.all.map(FilterJSON.init)) }
    var table = TextTable(["FILTER", "WHAT IT DOES"])
    for filter in FilterCatalogue.all { table.add([filter.name, filter.summary]) }
    table.lines.forEach(Output.result)
  }

  private func explain(_ filter: FilterDeclaration) {
    Output.result("\(filter.name): \(filter.summary)")
    Output.result("")
    Output.result(#"{ "filters": [\#(FilterExample(of: filter).json)] }"#)
    if !filter.pictures.isEmpty {
      Output.result("")
      Output.result("Takes \"pictures\": \(filter.pictures.joined(separator: ", ")).")
    }
    guard !filter.parameters.isEmpty else { return }
    Output.result("")
    var table = TextTable(["PARAMETER", "DEFAULT", "RANGE", "UNIT", "MEANING"])
    for parameter in filter.parameters {
      table.add([
        parameter.name, parameter.defaultText, parameter.rangeText, parameter.unit,
        parameter.summary,
      ])
    }
    table.lines.forEach(Output.result)
  }

  private func draw(_ filter: FilterDeclaration, to output: PictureOutput) throws {
    let cap = PixelSize(width: size, height: size)
    let before =
      try input.map { try PictureFile.firstFrame(of: Inputs.check($0), under: cap) }
      ?? SamplePicture.make(under: cap)
    let result = try apply(filter, to: before)
    if self.after { return try output.write(result) }
    let tile = PixelSize(
      width: max(before.width, result.width), height: max(before.height, result.height))
    var sheet = ContactSheet(count: 2, style: .init(tile: tile, columns: 2))
    sheet.add(before, label: "before")
    sheet.add(result, label: filter.name)
    try output.write(sheet.picture)
  }

  private func apply(_ filter: FilterDeclaration, to image: RGBAImage) throws -> RGBAImage {
    guard let parameters else {
      return FilterExample(of: filter).chain(for: image.size).apply(to: image)
    }
    let step = try FilterStep(json: "{\"\(filter.name)\": \(parameters)}", name: "--with")
    return try FilterChain([step], picture: PictureFile.read).apply(to: image)
  }
}

/// A filter as keymill shows it to programs.
private struct FilterJSON: Encodable {
  struct Parameter: Encodable {
    let name: String
    let summary: String
    /// Null where the picture decides.
    let `default`: JSONValue
    let range: String
    let unit: String
  }

  let name: String
  let summary: String
  let source: String
  let parameters: [Parameter]
  let pictures: [String]

  init(_ filter: FilterDeclaration) {
    name = filter.name
    summary = filter.summary
    source = filter.source
    pictures = filter.pictures
    parameters = filter.parameters.map {
      Parameter(
        name: $0.name, summary: $0.summary,
        default: $0.defaultValue.map(JSONValue.init) ?? .null, range: $0.rangeText, unit: $0.unit)
    }
  }
}

extension JSONValue {
  /// A filter's value as a recipe has it.
  fileprivate init(_ value: FilterValue) {
    switch value {
    case .number(let number): self = .number(number)
    case .text(let word): self = .string(word)
    case .list(let values): self = .array(values.map(JSONValue.init))
    }
  }
}

extension FilterParameter {
  /// The default, or that the picture decides.
  var defaultText: String { defaultValue.map { "\($0)" } ?? "by the picture" }

  /// The numbers or words that are allowed, such as `0…4` or `from 0`.
  var rangeText: String {
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
