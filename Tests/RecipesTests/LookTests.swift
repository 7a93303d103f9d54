import FoundationEssentials
import Imaging
import TestSupport
import Testing

@testable import Recipes

@Suite struct LookTests {
  private static let shelf = LookShelf(
    folder: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "jobs/looks").path)

  @Test(arguments: shelf.names)
  func `each look that comes with keymill is read and says what it looks like`(
    name: String
  ) throws {
    let look = try #require(try Self.shelf.look(named: name))
    #expect(look.name == name)
    #expect(look.summary.hasSuffix("."))
    #expect(look.filters.allSatisfy { $0.pictures.isEmpty })
  }

  @Test func `the looks of the seed are there and ten of our own`() throws {
    #expect(Set(Self.shelf.names).isSuperset(of: ["phostock", "eight-bit"]))
    #expect(Self.shelf.names.count >= 12)
    #expect(
      try Self.shelf.look(named: "phostock")?.filters == [
        FilterStep("contrast", ["contrast": 1.032491]),
        FilterStep("gamma", ["gamma": 1.196751]),
        FilterStep("sepia", ["intensity": 0.442238]),
        FilterStep("saturation", ["saturation": 1.198556]),
      ])
  }

  @Test func `a recipe's look stands for its filters, before those of the recipe`() throws {
    try withRecipe(#"{"stills": {"look": "dark", "filters": [{"sepia": {}}]}}"#) { path in
      let recipe = try Recipe(contentsOfFile: path)
      #expect(recipe.stills?.filters.map(\.name) == ["exposure", "sepia"])
      #expect(recipe.canonicalJSON.contains(#""look":null"#))
      #expect(try Recipe(json: recipe.canonicalJSON, name: "again") == recipe)
    }
  }

  @Test func `a look that is not there is an error with the name that may have been meant`() throws
  {
    try withRecipe(#"{"stills": {"look": "darc"}}"#) { path in
      let error = #expect(throws: RecipeError.self) { try Recipe(contentsOfFile: path) }
      let wanted = #"stills.look: no look named "darc"; did you mean "dark"?"#
      #expect(error?.description == "\(path):1:21: \(wanted)")
    }
  }

  @Test(arguments: ["../looks/dark", "/etc/passwd", ".", ""])
  func `a look's name leads to no other folder`(name: String) throws {
    try withRecipe(#"{"stills": {"look": "\#(name)"}}"#) { path in
      let error = #expect(throws: RecipeError.self) { try Recipe(contentsOfFile: path) }
      #expect(error?.message.hasPrefix("no look named") == true)
    }
  }

  @Test func `a fault in a look is shown where it stands in the look's file`() throws {
    try withRecipe(#"{"stills": {"look": "wrong"}}"#) { path in
      let error = #expect(throws: RecipeError.self) { try Recipe(contentsOfFile: path) }
      #expect(error?.name.hasSuffix("looks/wrong.json") == true)
      #expect(error?.message == #"unknown filter "exposre"; did you mean "exposure"?"#)
    }
  }

  /// A recipe in a folder of its own, with the looks `dark` and `wrong` beside it.
  private func withRecipe(_ text: String, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "looks-\(UUID())")
    let looks = folder.appending(path: "looks")
    try FileManager.default.createDirectory(at: looks, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(#"{"filters": [{"exposure": {"exposure": -1}}]}"#, looks.appending(path: "dark.json"))
    try write(#"{"filters": [{"exposre": {}}]}"#, looks.appending(path: "wrong.json"))
    let recipe = folder.appending(path: "recipe.json")
    try write(text, recipe)
    try body(recipe.path)
  }

  private func write(_ text: String, _ file: URL) throws {
    try Data(text.utf8).write(to: file)
  }
}
