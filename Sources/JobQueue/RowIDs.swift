internal import SQLite

/// Finds or makes the rows of queues and recipes, each looked up once.
///
/// Like ``Names`` to be forgotten when a transaction is rolled back.
struct RowIDs {
  /// The row of a recipe, and the oldest one with the same document.
  struct Recipe {
    let id: Int64
    let oldest: Int64
  }

  private var queues: [String: Int64] = [:]
  private var recipes: [JobRecipe: Recipe] = [:]
  /// The recipe looked up last, since hashing a document takes as long as storing a job.
  private var latest: (key: JobRecipe, value: Recipe)?

  /// So many recipes are remembered at most.
  private static let recipeLimit = 1000

  mutating func queue(_ name: String, _ connection: Connection) throws -> Int64 {
    if let known = queues[name] { return known }
    let found: Int64? = try connection.first("SELECT id FROM queue WHERE name = ?", name) { $0[0] }
    let id = try found ?? Self.insertQueue(name, connection)
    queues[name] = id
    return id
  }

  mutating func recipe(_ recipe: JobRecipe, _ connection: Connection) throws -> Recipe {
    if let latest, latest.key == recipe { return latest.value }
    let found =
      try recipes[recipe] ?? Self.find(recipe, connection) ?? Self.insert(recipe, connection)
    if recipes.count == Self.recipeLimit { recipes.removeAll() }
    recipes[recipe] = found
    latest = (recipe, found)
    return found
  }

  private static func insertQueue(_ name: String, _ connection: Connection) throws -> Int64 {
    try connection.run("INSERT INTO queue (name) VALUES (?)", name)
    return connection.lastInsertedRowID
  }

  private static func find(_ recipe: JobRecipe, _ connection: Connection) throws -> Recipe? {
    try connection.first(
      """
      SELECT id, (SELECT min(id) FROM recipe WHERE digest = ?1) FROM recipe
      WHERE digest = ?1 AND name = ?2
      """, recipe.digest, recipe.name
    ) { row in Recipe(id: row[0], oldest: row[1]) }
  }

  private static func insert(_ recipe: JobRecipe, _ connection: Connection) throws -> Recipe {
    try connection.run(
      "INSERT INTO recipe (digest, name, document) VALUES (?, ?, ?)",
      recipe.digest, recipe.name, recipe.canonicalJSON)
    let id = connection.lastInsertedRowID
    return try find(recipe, connection) ?? Recipe(id: id, oldest: id)
  }
}
