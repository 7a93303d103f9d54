import FoundationEssentials
import Imaging
import TestSupport
import Testing

@testable import Recipes

@Suite struct RecipeFileTests {
  @Test func `a file is named in errors as it was given`() throws {
    try withFile("{\"audio\": {},}") { path in
      let error = #expect(throws: RecipeError.self) { try Recipe(contentsOfFile: path) }
      #expect(error?.description.hasPrefix("\(path):1:13: trailing comma") == true)
      #expect(error?.kind == .invalid)
    }
  }

  @Test func `a missing file and a directory are unreadable`() {
    let missing = #expect(throws: RecipeError.self) {
      try Recipe(contentsOfFile: "/nowhere/r.json")
    }
    #expect(missing?.kind == .unreadable)
    #expect(
      missing?.description
        == "/nowhere/r.json: cannot read the recipe: No such file or directory")
    let directory = #expect(throws: RecipeError.self) { try Recipe(contentsOfFile: "/") }
    #expect(directory?.kind == .unreadable)
    #expect(directory?.description == "/: cannot read the recipe: Is a directory")
  }

  @Test func `a file that never ends is refused`() {
    let error = #expect(throws: RecipeError.self) { try Recipe(contentsOfFile: "/dev/zero") }
    #expect(error?.description == "/dev/zero: too large for a recipe (over 1 MiB)")
  }

  @Test func `pictures are taken from the recipe's folder on`() throws {
    let filters = """
      {"lookup": {"pictures": ["table.png"]}}, {"blend-multiply": {"pictures": ["/a/b.png"]}}
      """
    try withFile("{\"stills\": {\"filters\": [\(filters)]}}") { path in
      let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
      let recipe = try Recipe(contentsOfFile: path)
      let pictures = recipe.stills?.filters.map(\.pictures)
      #expect(pictures == [["\(folder)table.png"], ["/a/b.png"]])
      #expect(try Recipe(json: recipe.canonicalJSON, name: "again") == recipe)
    }
  }

  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    let path = "\(FileManager.default.temporaryDirectory.path)/recipe-\(UUID()).json"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }
}
