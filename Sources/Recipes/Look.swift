public import Imaging

/// A named chain of still filters, kept in a file of its own that recipes refer to.
///
/// The file is a JSON document: `{"summary": "What it looks like.", "filters": […]}`, with filters as
/// in a recipe. Its name without the extension is the look's.
public struct Look: Hashable, Sendable {
  /// The name, in kebab-case.
  public let name: String
  /// What it looks like, in one line.
  public let summary: String
  /// The filters, first to last; at least one.
  public let filters: [FilterStep]

  private enum Name: String, CaseIterable {
    case summary, filters
  }

  /// Reads a look's file; paths in it are relative to its folder.
  ///
  /// - Throws: `RecipeError`: of kind `unreadable` when there is no such file or it cannot be read,
  ///   of kind `invalid` at the first fault in it.
  public init(contentsOfFile path: String) throws(RecipeError) {
    let source = try SourceText(
      name: path, bytes: readDocument(path), folder: absoluteFolder(ofFileAt: path))
    let document = try Field(node: JSONReader.read(source), path: FieldPath(), source: source)
    let fields = try Fields(of: document, named: Name.self)
    let file = path.split(separator: "/").last ?? ""
    name = String(file.prefix { $0 != "." })
    summary = try fields[.summary]?.text() ?? ""
    var filters: [FilterStep] = []
    for element in try fields[.filters]?.elements(atMost: StillsSection.mostFilters) ?? [] {
      filters.append(try FilterStep(element))
    }
    guard !filters.isEmpty else { throw document.error("a look needs \"filters\"") }
    self.filters = filters
  }
}
