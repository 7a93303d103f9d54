import Testing

@testable import Recipes

/// A document with a fault and how the fault is reported.
struct Fault: Sendable, CustomTestStringConvertible {
  let json: String
  let report: String

  init(_ json: String, _ report: String) {
    self.json = json
    self.report = report
  }

  var testDescription: String { json }
}

/// What reading `json` as the recipe `r.json` reports, or the canonical form where it is right.
func report(on json: String) -> String {
  do throws(RecipeError) {
    return try Recipe(json: json, name: "r.json").canonicalJSON
  } catch {
    return error.description
  }
}
