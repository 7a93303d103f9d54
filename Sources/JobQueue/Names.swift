internal import SQLite

/// The queues and recipes that rows of jobs refer to, looked up once.
///
/// Their rows never change and never go. What was read in a transaction that is rolled back must be
/// forgotten, since its numbers are given again.
struct Names {
  private var queues: [Int64: String] = [:]
  private var recipes: [Int64: JobRecipe] = [:]

  /// Recipes are texts of any length; so many are remembered at most.
  private static let recipeLimit = 1000

  mutating func queue(_ id: Int64, _ connection: Connection) throws -> String {
    if let known = queues[id] { return known }
    let name = try connection.first("SELECT name FROM queue WHERE id = ?", id) { row in
      row[0] as String
    }
    guard let name else { throw Self.missing("queue", id) }
    queues[id] = name
    return name
  }

  mutating func recipe(_ id: Int64, _ connection: Connection) throws -> JobRecipe {
    if let known = recipes[id] { return known }
    let recipe = try connection.first(
      "SELECT name, digest, document FROM recipe WHERE id = ?", id
    ) { row in JobRecipe(name: row[0], digest: row[1], canonicalJSON: row[2]) }
    guard let recipe else { throw Self.missing("recipe", id) }
    if recipes.count == Self.recipeLimit { recipes.removeAll() }
    recipes[id] = recipe
    return recipe
  }

  private static func missing(_ what: String, _ id: Int64) -> QueueError {
    QueueError(.corrupt, "the queue has lost its \(what) \(id); `keymill doctor` examines it")
  }
}
