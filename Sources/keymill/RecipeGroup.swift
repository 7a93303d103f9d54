import Commands
import FoundationEssentials
import Recipes

/// `keymill recipe`: what can be done with a recipe alone.
struct RecipeGroup: CommandGroup {
  static let name = "recipe"
  static let summary = "Check a recipe"
  static let sections = [CommandSection("Commands", [RecipeCheckCommand.self])]
}

/// `keymill recipe check`: says what is wrong with a recipe, or shows it with all its defaults.
struct RecipeCheckCommand: Command {
  static let name = "check"
  static let summary = "Check a recipe and show it with every default written out"
  static let examples = [Example("keymill recipe check jobs/sprite.json", "is it right?")]

  @Argument(help: "The recipe, a JSON file.", valueName: "file")
  var file: String

  func run() throws {
    let json = try Recipe(contentsOfFile: file).canonicalJSON
    try Output.json(JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)))
  }
}
